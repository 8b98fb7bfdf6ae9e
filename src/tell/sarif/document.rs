//! The members of SARIF 2.1.0 that we write, in the words of its page.

use std::collections::BTreeMap;

use serde::Serialize;

/// `sarifLog`
#[derive(Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: [Run; 1],
}

/// `run`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    pub(super) tool: Tool,
    pub(super) column_kind: &'static str,
    pub(super) invocations: [Invocation; 1],
    pub(super) results: Vec<SarifResult>,
}

/// `tool`
#[derive(Serialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

/// `toolComponent`
#[derive(Serialize)]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    pub(super) rules: Vec<ReportingDescriptor>,
}

/// `reportingDescriptor`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReportingDescriptor {
    pub(super) id: &'static str,
    pub(super) short_description: Text,
    pub(super) default_configuration: ReportingConfiguration,
}

/// `reportingConfiguration`
#[derive(Serialize)]
pub(super) struct ReportingConfiguration {
    pub(super) level: &'static str,
}

/// `invocation`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    pub(super) tool_execution_notifications: Vec<Notification>,
}

/// `notification`
#[derive(Serialize)]
pub(super) struct Notification {
    pub(super) level: &'static str,
    pub(super) message: Text,
}

/// `result`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult {
    pub(super) rule_id: &'static str,
    pub(super) rule_index: Option<usize>,
    pub(super) level: &'static str,
    pub(super) message: Text,
    pub(super) locations: Vec<Location>,
    pub(super) partial_fingerprints: BTreeMap<&'static str, String>,
}

/// `location`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    pub(super) physical_location: PhysicalLocation,
}

/// `physicalLocation`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<Region>,
}

/// `artifactLocation`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
    pub(super) uri_base_id: &'static str,
}

/// `region`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: usize,
}

/// `message` and `multiformatMessageString`
#[derive(Serialize)]
pub(super) struct Text {
    text: String,
}

impl Text {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Text { text: text.into() }
    }
}
