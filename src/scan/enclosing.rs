//! Hidden instructions: tags and comments → is what stands in them an order?

use super::concept::Concept;
use super::marks::{self, Enclosures};
use super::reading::Role;
use super::scanner::{Found, Scanner, shows};
use super::sentences::sentences;

impl Scanner {
    /// Tags and comments, now that it is known whether anything in the text orders.
    pub(super) fn enclose<'t>(
        &mut self,
        text: &'t str,
        found: Enclosures,
        orders: bool,
        to: &mut Found<'t>,
    ) {
        if !found.tag && !found.comment {
            return;
        }
        self.raised.clear();
        let commented = found.comment
            && comments(text).any(|said| self.is_order(said) || self.takes_secrets(said));
        let tagged = found.tag
            && marks::tagged(text).any(|said| {
                self.takes_secrets(said) || (marks::is_grave(said) && self.is_order(said))
            });
        marks::enclose(
            Enclosures {
                comment: false,
                ..found
            },
            orders || tagged,
            &mut self.raised,
        );
        marks::enclose(
            Enclosures {
                tag: false,
                ..found
            },
            orders || commented,
            &mut self.raised,
        );
        for (rule, severity) in &self.raised {
            to.push((*rule, *severity, shows(*rule, text, Role::Prose)));
        }
    }

    /// Does what stands in a tag tell the reader to move what is secret?
    fn takes_secrets(&mut self, said: &str) -> bool {
        sentences(said).any(|original| {
            self.sentence.read(original);
            let goods = [
                Concept::Secret,
                Concept::Private,
                Concept::Path,
                Concept::WholeTalk,
            ];
            let deeds = [Concept::Read, Concept::Pass, Concept::Send];
            let mut ordered = deeds.iter().flat_map(|deed| self.sentence.orders(*deed));
            self.sentence.has_any(&goods) && ordered.next().is_some()
        })
    }

    /// Does what nobody sees tell the reader to do something?
    fn is_order(&mut self, said: &str) -> bool {
        sentences(said).any(|original| {
            self.sentence.read(original);
            let deeds = [
                Concept::Read,
                Concept::Pass,
                Concept::Send,
                Concept::Run,
                Concept::Alter,
                Concept::Ignore,
            ];
            let insists =
                self.sentence
                    .has_any(&[Concept::Want, Concept::First, Concept::Secretly]);
            // A note of a program's own is for nobody who is called `you`.
            let speaks = self.sentence.folded.contains("you")
                || self.sentence.has_any(&[
                    Concept::Addressed,
                    Concept::User,
                    Concept::Secret,
                    Concept::Path,
                    Concept::WholeTalk,
                ]);
            insists
                && speaks
                && deeds
                    .iter()
                    .any(|deed| self.sentence.orders(*deed).next().is_some())
        })
    }
}

/// What stands between `<!--` and `-->`.
fn comments(text: &str) -> impl Iterator<Item = &str> {
    text.split("<!--")
        .skip(1)
        .map(|rest| rest.split("-->").next().unwrap_or_default())
}
