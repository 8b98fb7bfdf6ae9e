//! Byte offset → line, for messages and annotations.

/// Where the lines of a text start.
#[derive(Debug, Clone)]
pub struct Lines(Vec<usize>);

impl Lines {
    /// Finds the line feeds of `text`, once.
    pub fn of(text: &[u8]) -> Self {
        Lines(
            text.iter()
                .enumerate()
                .filter(|(_, byte)| **byte == b'\n')
                .map(|(at, _)| at)
                .collect(),
        )
    }

    /// The line, counted from 1, on which the byte offset `at` stands.
    pub fn line(&self, at: usize) -> usize {
        1 + self.0.partition_point(|line_feed| *line_feed < at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        let lines = Lines::of(b"a\nbc\n\nd");
        let found: Vec<usize> = (0..8).map(|at| lines.line(at)).collect();
        assert_eq!(found, [1, 1, 2, 2, 2, 3, 4, 4]);
    }
}
