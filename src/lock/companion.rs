//! bytes → [`Companion`]: the approved tools in full, each held against the lockfile.
//!
//! Obeys design §2 (Companion listing). It needs no signature: what does not hash to the
//! lockfile's entry is refused, and what no digest covers is dropped.

use super::fault::{LockfileFault, Problem};
use super::members::{self, Members};
use super::pins::InstructionsPin;
use super::{Digest, Listing, Lockfile, Tool};
use crate::json::{Lines, Value};
use crate::untrusted::Untrusted;

/// The `kind` of a companion listing.
pub const COMPANION_KIND: &str = "lockgate-mcp-listing";

/// What was approved, word for word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Companion {
    tools: Vec<Tool>,
    instructions: Option<Untrusted>,
}

impl Companion {
    /// The approved tool of that name, in full.
    pub fn tool(&self, name: &Untrusted) -> Option<&Tool> {
        self.tools.get(
            self.tools
                .binary_search_by(|tool| tool.name().cmp(name))
                .ok()?,
        )
    }

    /// What it holds, as a server would list it.
    pub(super) fn listing(&self, pin: InstructionsPin) -> Listing {
        let listing = Listing::of_tools(self.tools.clone());
        match pin {
            InstructionsPin::NotPinned => listing,
            InstructionsPin::None | InstructionsPin::Sha256(_) => {
                listing.with_instructions(self.instructions.as_ref().map(Untrusted::as_arrived))
            }
        }
    }

    /// The approved instructions, where the lockfile pins them.
    pub fn instructions(&self) -> Option<&Untrusted> {
        self.instructions.as_ref()
    }
}

impl Lockfile {
    /// Puts the companion listing beside the lockfile, so that a change of a schema or an
    /// annotation can be shown and not only told.
    ///
    /// # Errors
    /// [`LockfileFault`] if any of it is not what the lockfile pins; then none of it is used.
    pub fn with_companion(mut self, bytes: &[u8]) -> Result<Self, LockfileFault> {
        self.companion = Some(self.read_companion(bytes)?);
        Ok(self)
    }

    /// Would [`Lockfile::with_companion`] take it?
    ///
    /// # Errors
    /// As there.
    pub fn check_companion(&self, bytes: &[u8]) -> Result<(), LockfileFault> {
        self.read_companion(bytes).map(drop)
    }

    fn read_companion(&self, bytes: &[u8]) -> Result<Companion, LockfileFault> {
        let lines = Lines::of(bytes);
        let document = members::read(bytes, &lines)?;
        let root = Members::of_root(&document.root, &lines)?;
        root.demand_kind(COMPANION_KIND)?;
        if root.get("v")?.as_u64() != Some(1) {
            return Err(root.at("v", Problem::Version));
        }
        let mut tools = Vec::new();
        for value in root.get("tools")?.as_array().unwrap_or_default() {
            let tool = self
                .approved(value)
                .map_err(|problem| root.at("tools", problem))?;
            tools.push(tool);
        }
        tools.sort_by(|a, b| a.name().cmp(b.name()));
        self.demand_all(&tools)
            .map_err(|problem| root.at("tools", problem))?;
        let instructions = root.text_or_null("instructions")?;
        let instructions = self
            .approved_instructions(instructions)
            .map_err(|problem| root.at("instructions", problem))?;
        Ok(Companion {
            tools,
            instructions,
        })
    }

    /// A companion cut short would hide what moved in the tools it lacks.
    fn demand_all(&self, sorted: &[Tool]) -> Result<(), Problem> {
        let lacks = |name: &Untrusted| {
            sorted
                .binary_search_by(|tool| tool.name().cmp(name))
                .is_err()
        };
        let missing = self.tools().iter().find(|pinned| lacks(&pinned.name));
        missing.map_or(Ok(()), |pinned| {
            Err(Problem::LacksApprovedTool(pinned.name.clone()))
        })
    }

    /// Takes a tool of the companion if it is the one that this lockfile pins.
    fn approved(&self, value: &Value<'_>) -> Result<Tool, Problem> {
        let tool = Tool::read(value).map_err(Problem::Listing)?;
        let refused = || Problem::NotTheApprovedTool(tool.name().clone());
        let pinned = self.tool(tool.name()).ok_or_else(refused)?;
        let holds = match pinned.extended_sha256 {
            Some(sha256) => sha256 == tool.extended_sha256(),
            None => true,
        };
        if pinned.sha256 != tool.sha256() || !holds {
            return Err(refused());
        }
        let described = tool
            .members()
            .root
            .member("description")
            .and_then(Value::as_str)
            .map(Untrusted::new);
        if self
            .description(tool.name())
            .is_some_and(|text| Some(text) != described.as_ref())
        {
            return Err(Problem::NotTheApprovedDescription(tool.name().clone()));
        }
        Ok(if pinned.extended_sha256.is_some() {
            tool
        } else {
            tool.without_unpinned()
        })
    }

    fn approved_instructions(&self, text: Option<Untrusted>) -> Result<Option<Untrusted>, Problem> {
        match self.instructions_pin() {
            InstructionsPin::NotPinned => Ok(None),
            InstructionsPin::None if text.is_none() => Ok(None),
            InstructionsPin::Sha256(pin)
                if text.as_ref().map(|t| Digest::of(t.as_arrived())) == Some(pin) =>
            {
                Ok(text)
            }
            InstructionsPin::None | InstructionsPin::Sha256(_) => {
                Err(Problem::NotTheApprovedInstructions)
            }
        }
    }
}
