//! stub, replaced at merge
use crate::check::{Reason, Unlisted};
use crate::lock::Listing;
use reqwest::header::{HeaderName, HeaderValue};
use std::time::Duration;
/// stub
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// u
    pub url: url::Url,
    /// h
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// p
    pub protocol_version: Option<String>,
}
/// stub
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// d
    pub deadline: Duration,
    /// a
    pub allow_private_hosts: Vec<String>,
}
/// stub
#[derive(Debug)]
pub struct Mcp;
impl Mcp {
    /// stub
    pub fn new(_s: Settings) -> Self {
        Mcp
    }
    /// stub
    pub async fn list_tools(&self, _e: &Endpoint) -> Result<Listing, Unlisted> {
        Err(Unlisted {
            reason: Reason::NotChecked,
            detail: "stub".into(),
            said: None,
            hint: None,
        })
    }
    /// stub
    pub async fn farewells(&self) {}
}
