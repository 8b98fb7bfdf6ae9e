//! Lockfiles to measure with: each of a server of its own, with texts of a usual length.

use lockgate::lock::{Approval, HeaderPins, ServerUrl};

use crate::common::listing;

/// Tools in each lockfile.
pub(crate) const TOOLS: usize = 100;

/// An unsigned lockfile and its companion.
pub(crate) fn lockfile(number: usize) -> (String, String) {
    let tools: Vec<_> = (0..TOOLS).map(|tool| self::tool(number, tool)).collect();
    let url = ServerUrl::parse(&format!("https://{number}.example.com/mcp"));
    let approved_at = "2025-10-07T10:45:00Z".parse();
    let approval = Approval {
        url: &url.unwrap_or_else(|bad| unreachable!("{bad}")),
        listing: &listing(&tools.into()),
        headers: HeaderPins::default(),
        approved_at: approved_at.unwrap_or_else(|bad| unreachable!("{bad}")),
        scan: None,
    };
    let text = approval.lockfile();
    let text = text.unwrap_or_else(|fault| unreachable!("{fault}"));
    (text, approval.companion())
}

fn tool(lockfile: usize, tool: usize) -> serde_json::Value {
    let description = "Finds what was asked for in the records of the team. ".repeat(1 + tool % 8);
    serde_json::json!({
        "name": format!("find_{tool}"),
        "description": format!("{description}Server {lockfile}."),
        "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}}
    })
}
