//! A line of a table of sentences → the listing of a server that says it.

use lockgate::Listing;
use lockgate::scan::{Scan, scan_listing};
use serde_json::json;

/// Scans a sentence: as a tool's description, or after `name := ` as that of a parameter.
pub(crate) fn scan(said: &str) -> Scan {
    let (parameter, description) = match said.split_once(" := ") {
        Some((name, said)) => (
            json!({name: {"type": "string", "description": said}}),
            String::new(),
        ),
        None => (json!({}), said.to_owned()),
    };
    let required: Vec<&String> = parameter
        .as_object()
        .into_iter()
        .flat_map(|object| object.keys())
        .collect();
    let schema = json!({"type": "object", "properties": parameter, "required": required});
    let tools = json!([
        {"name": "helper", "description": format!("Does what it says. {description}"), "inputSchema": schema},
        {"name": "list_items"}, {"name": "create_item"}, {"name": "create_item_v2"},
    ]);
    scan_listing(&Listing::parse(tools.to_string().as_bytes()).expect("a table's own listing"))
}

/// The rows of a table, without its comments.
pub(crate) fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect())
}
