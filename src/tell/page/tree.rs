//! Places of a schema or of annotations that differ → a tree by their JSON Pointers.

use askama::Template;

use super::name;
use super::sides::place_sides;
use crate::check::{Named, Place};
use crate::untrusted::Untrusted;
use crate::untrusted::html::{Html, rendered, shown};

#[derive(Template)]
#[template(path = "tree.html", config = "src/tell/page/askama.toml")]
struct Tree {
    steps: Vec<Step>,
}

/// A step of a walk through the tree.
enum Step {
    /// Down by these names, to what differs there.
    Open(Vec<Html>, Vec<Leaf>),
    /// Up again.
    Close,
}

/// A place that differs.
struct Leaf {
    named: Vec<Called>,
    sides: Html,
}

/// What a change is called.
struct Called {
    takes_back: bool,
    told: Html,
}

/// Names on the way to places that differ.
#[derive(Default)]
struct Node<'a> {
    /// The names from the node above, as they arrived.
    names: Vec<String>,
    places: Vec<&'a Place>,
    below: Vec<Node<'a>>,
}

/// The tree, in the order of the places.
pub(super) fn tree(places: &[Place]) -> askama::Result<Html> {
    let mut root = Node::default();
    for place in places {
        root.insert(place);
    }
    let mut steps = Vec::new();
    if !root.places.is_empty() {
        let all = std::mem::take(&mut root.places);
        steps.push(Step::Open(vec![shown("(all of it)")], leaves(&all)?));
        steps.push(Step::Close);
    }
    for node in root.below {
        node.joined().walk(&mut steps)?;
    }
    rendered(&Tree { steps })
}

impl<'a> Node<'a> {
    fn insert(&mut self, place: &'a Place) {
        let mut here = self;
        for token in place.pointer.as_arrived().split('/').skip(1) {
            let name = token.replace("~1", "/").replace("~0", "~");
            // Places come in the order of the tree: only the last branch can go on.
            let is_last = here
                .below
                .last()
                .is_some_and(|node| node.names == [name.as_str()]);
            if !is_last {
                here.below.push(Node {
                    names: vec![name],
                    ..Node::default()
                });
            }
            let Some(last) = here.below.last_mut() else {
                return;
            };
            here = last;
        }
        here.places.push(place);
    }

    /// A node that only leads to one other is one with it.
    fn joined(mut self) -> Self {
        while self.places.is_empty() && self.below.len() == 1 {
            let Some(only) = self.below.pop() else { break };
            self.names.extend(only.names);
            self.places = only.places;
            self.below = only.below;
        }
        self
    }

    fn walk(self, steps: &mut Vec<Step>) -> askama::Result<()> {
        let names = self.names.into_iter().map(Untrusted::new);
        let names = names.map(|one| name(&one)).collect();
        steps.push(Step::Open(names, leaves(&self.places)?));
        for node in self.below {
            node.joined().walk(steps)?;
        }
        steps.push(Step::Close);
        Ok(())
    }
}

fn leaves(places: &[&Place]) -> askama::Result<Vec<Leaf>> {
    let leaf = |place: &&Place| {
        let called = |named: &Named| Called {
            takes_back: named.takes_back(),
            told: named.message().in_page(),
        };
        Ok(Leaf {
            named: place.named.iter().map(called).collect(),
            sides: place_sides(place)?,
        })
    };
    places.iter().map(leaf).collect()
}
