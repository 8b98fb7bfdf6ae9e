//! Tool → every string in it that a model may get, each with its JSON Pointer and role.

use std::fmt::Write;

use super::fold::folded;
use super::reading::Role;
use crate::json::{Object, Value};

/// One step of a JSON Pointer.
#[derive(Debug, Clone, Copy)]
enum Step<'v> {
    Member(&'v str),
    Item(usize),
}

/// Where a string stands.
#[derive(Debug, Default)]
pub(super) struct Place<'v> {
    steps: Vec<Step<'v>>,
}

impl Place<'_> {
    /// RFC 6901.
    pub(super) fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.steps {
            pointer.push('/');
            match step {
                Step::Member(name) => pointer.push_str(&name.replace('~', "~0").replace('/', "~1")),
                // Writing to a string cannot fail.
                Step::Item(at) => drop(write!(pointer, "{at}")),
            }
        }
        pointer
    }

    /// How deep it stands.
    pub(super) fn depth(&self) -> usize {
        self.steps.len()
    }
}

/// Hands every string of a tool's members to `take`.
pub(super) fn walk<'v>(members: &'v Object<'_>, take: &mut dyn FnMut(&Place<'v>, Role, &'v str)) {
    let mut walk = Walk {
        place: Place::default(),
        take,
    };
    for member in members.iter() {
        let name = member.name.as_str();
        let (role, is_input) = match name {
            "name" => (Role::Name, false),
            "inputSchema" => (Role::Parameter { is_required: false }, true),
            "title" | "description" | "annotations" | "outputSchema" => (Role::Prose, false),
            _ => (Role::Uncovered, false),
        };
        walk.place.steps.push(Step::Member(name));
        if role == Role::Uncovered {
            (walk.take)(&walk.place, Role::Uncovered, name);
        }
        walk.value(&member.value, role, is_input);
        walk.place.steps.pop();
    }
}

struct Walk<'v, 't> {
    place: Place<'v>,
    take: &'t mut dyn FnMut(&Place<'v>, Role, &'v str),
}

impl<'v> Walk<'v, '_> {
    fn value(&mut self, value: &'v Value<'_>, role: Role, is_input: bool) {
        match value {
            Value::String(text) => (self.take)(&self.place, role, text.as_str()),
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.place.steps.push(Step::Item(at));
                    self.value(item, role, is_input);
                    self.place.steps.pop();
                }
            }
            Value::Object(members) => self.object(members, role, is_input),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn object(&mut self, members: &'v Object<'_>, role: Role, is_input: bool) {
        for member in members.iter() {
            let name = member.name.as_str();
            self.place.steps.push(Step::Member(name));
            (self.take)(&self.place, Role::Name, name);
            match (name, &member.value) {
                ("properties", Value::Object(properties)) if is_input => {
                    self.properties(properties, members.get("required"));
                }
                _ => self.value(&member.value, role, is_input),
            }
            self.place.steps.pop();
        }
    }

    /// The parameters of a schema, each as it is required or not.
    fn properties(&mut self, properties: &'v Object<'_>, required: Option<&Value<'_>>) {
        let required = required.and_then(Value::as_array).unwrap_or_default();
        for member in properties.iter() {
            let name = member.name.as_str();
            let is_required = required.iter().any(|item| item.as_str() == Some(name));
            self.place.steps.push(Step::Member(name));
            let role = if asks_the_caller(&member.value) {
                Role::Key
            } else {
                Role::Name
            };
            (self.take)(&self.place, role, name);
            self.value(&member.value, Role::Parameter { is_required }, true);
            self.place.steps.pop();
        }
    }
}

/// May the name of a parameter be meant for the caller? Not where its values are given, or
/// its description says that it is a choice of the tool's own.
fn asks_the_caller(schema: &Value<'_>) -> bool {
    if schema.member("enum").is_some()
        || schema
            .member("default")
            .is_some_and(|value| !value.is_null())
    {
        return false;
    }
    match schema.member("description").and_then(Value::as_str) {
        None => true,
        Some(said) => {
            let said = folded(said);
            ["call", "invok", "you are", "your", "using this", "current"]
                .iter()
                .any(|word| said.contains(word))
        }
    }
}
