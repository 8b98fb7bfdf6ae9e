//! Names on the way into a JSON Schema → what stands there: a keyword, a schema, or data.
//!
//! A parameter may be called `required`, and a default may hold an `enum`: only what
//! stands where JSON Schema looks for a keyword is one.

/// Where in a schema a value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// A schema.
    Schema,
    /// Schemas by name, or in a list; what `properties` holds are the parameters.
    Schemas {
        /// Is it `properties`?
        parameters: bool,
    },
    /// A parameter's schema.
    Parameter,
    /// What one of the keywords that are named says.
    Keyword(Keyword),
    /// A value that is no schema.
    Data,
}

/// A keyword whose change is called by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keyword {
    /// `required`
    Required,
    /// `enum`
    Enum,
    /// `type`
    Type,
    /// `default`
    Default,
}

impl Position {
    /// The member `name` of what stands here.
    pub(super) fn member(self, name: &str) -> Self {
        match self {
            Position::Schema | Position::Parameter => of_schema(name),
            Position::Schemas { parameters: true } => Position::Parameter,
            Position::Schemas { parameters: false } => Position::Schema,
            Position::Keyword(_) | Position::Data => Position::Data,
        }
    }

    /// An item of what stands here.
    pub(super) fn item(self) -> Self {
        match self {
            // A list of schemas, `items` of the older drafts too.
            Position::Schema | Position::Schemas { .. } => Position::Schema,
            Position::Parameter | Position::Keyword(_) | Position::Data => Position::Data,
        }
    }

    /// Is it a list whose order says nothing?
    pub(super) fn is_unordered(self) -> bool {
        match self {
            Position::Keyword(Keyword::Required | Keyword::Enum | Keyword::Type) => true,
            Position::Keyword(Keyword::Default)
            | Position::Schema
            | Position::Schemas { .. }
            | Position::Parameter
            | Position::Data => false,
        }
    }
}

fn of_schema(name: &str) -> Position {
    match name {
        "required" => Position::Keyword(Keyword::Required),
        "enum" => Position::Keyword(Keyword::Enum),
        "type" => Position::Keyword(Keyword::Type),
        "default" => Position::Keyword(Keyword::Default),
        "properties" => Position::Schemas { parameters: true },
        "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "allOf" | "anyOf"
        | "oneOf" | "prefixItems" => Position::Schemas { parameters: false },
        "items"
        | "additionalItems"
        | "additionalProperties"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contains"
        | "propertyNames"
        | "contentSchema"
        | "not"
        | "if"
        | "then"
        | "else" => Position::Schema,
        _ => Position::Data,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &[&str], expect: Position) {
        let step = |at: Position, name: &&str| match name.parse::<usize>() {
            Ok(_) => at.item(),
            Err(_) => at.member(name),
        };
        assert_eq!(path.iter().fold(Position::Schema, step), expect, "{path:?}");
    }

    #[test]
    fn rows() {
        check(&["required"], Position::Keyword(Keyword::Required));
        check(&["properties", "required"], Position::Parameter);
        check(
            &["properties", "required", "enum"],
            Position::Keyword(Keyword::Enum),
        );
        check(
            &["properties", "a", "items", "anyOf", "0", "type"],
            Position::Keyword(Keyword::Type),
        );
        check(
            &["items", "1", "default"],
            Position::Keyword(Keyword::Default),
        );
        check(&["default", "enum"], Position::Data);
        check(&["x-own", "type"], Position::Data);
    }
}
