//! bytes, as they arrive → the data of each event of a stream.
//!
//! Obeys the WHATWG HTML Standard §9.2.6 (event stream interpretation), but that an event
//! cut off by the end of the stream counts: some servers forget the last blank line. Event
//! types and ids are not looked at; a JSON-RPC message is one whatever it is called.

/// A stream of events being read.
#[derive(Debug)]
pub struct Events {
    /// The line under way.
    line: Vec<u8>,
    /// The data of the event under way; `None` before its first `data` line.
    data: Option<Vec<u8>>,
    /// The last byte was a carriage return: a line feed that follows belongs to it.
    after_return: bool,
    /// No line has ended yet, so that a byte order mark may stand here.
    at_start: bool,
    max: usize,
}

/// An event longer than the cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventTooLong;

impl Events {
    /// Begins a stream whose events may hold `max` bytes each.
    pub fn new(max: usize) -> Self {
        Events {
            line: Vec::new(),
            data: None,
            after_return: false,
            at_start: true,
            max,
        }
    }

    /// Takes the next bytes and gives the data of every event they complete, in order.
    ///
    /// # Errors
    /// [`EventTooLong`]; the stream must not be read on.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, EventTooLong> {
        let mut events = Vec::new();
        let mut rest = bytes;
        while let Some(first) = rest.first() {
            if std::mem::take(&mut self.after_return) && *first == b'\n' {
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            let length = rest.iter().position(|b| matches!(b, b'\r' | b'\n'));
            let (line, tail) = rest.split_at(length.unwrap_or(rest.len()));
            self.extend_line(line)?;
            rest = tail;
            if let Some((end, tail)) = tail.split_first() {
                self.after_return = *end == b'\r';
                rest = tail;
                events.extend(self.end_line());
            }
        }
        Ok(events)
    }

    /// Ends the stream and gives the data of the event under way, if there is one.
    pub fn finish(mut self) -> Option<Vec<u8>> {
        if !self.line.is_empty() {
            self.end_line();
        }
        self.data
    }

    fn extend_line(&mut self, part: &[u8]) -> Result<(), EventTooLong> {
        let held = self.line.len() + self.data.as_ref().map_or(0, Vec::len);
        if held + part.len() > self.max {
            return Err(EventTooLong);
        }
        self.line.extend_from_slice(part);
        Ok(())
    }

    /// Interprets a whole line; a blank one completes the event.
    fn end_line(&mut self) -> Option<Vec<u8>> {
        let mut line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.at_start) && line.starts_with("\u{feff}".as_bytes()) {
            line.drain(..3);
        }
        if line.is_empty() {
            return self.data.take();
        }
        let value_at = data_value(&line)?;
        match &mut self.data {
            None => {
                line.drain(..value_at);
                self.data = Some(line);
            }
            Some(data) => {
                data.push(b'\n');
                data.extend_from_slice(line.get(value_at..).unwrap_or_default());
            }
        }
        None
    }
}

/// Where the value of a `data` line starts; `None` for any other line.
fn data_value(line: &[u8]) -> Option<usize> {
    match line.strip_prefix(b"data")? {
        [] => Some(line.len()),
        [b':', b' ', ..] => Some(6),
        [b':', ..] => Some(5),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads `stream` whole and byte by byte, and demands the same events of both.
    fn check(stream: &str, expect: &[&str]) {
        for size in [stream.len().max(1), 1, 3] {
            let mut events = Events::new(64);
            let mut found = Vec::new();
            for chunk in stream.as_bytes().chunks(size) {
                found.extend(events.push(chunk).expect("short events"));
            }
            found.extend(events.finish());
            let found: Vec<_> = found.iter().map(|e| String::from_utf8_lossy(e)).collect();
            assert_eq!(found, expect, "{stream:?} by {size}");
        }
    }

    #[test]
    fn reads_every_framing() {
        check("data: a\n\ndata: b\n\n", &["a", "b"]);
        check("data: a\r\n\r\ndata: b\r\n\r\n", &["a", "b"]);
        check("data: a\r\rdata: b\r\r", &["a", "b"]);
        check("data: a\r\n\ndata: b\n\r\n", &["a", "b"]);
        check("\u{feff}data: a\n\n", &["a"]);
        check("data: a\n\n\u{feff}data: b\n\n", &["a"]);
        check("data: {\ndata:}\n\n", &["{\n}"]);
        check("data:  a\n\n", &[" a"]);
        check("data: a\n", &["a"]);
        check("data: a", &["a"]);
    }

    #[test]
    fn passes_over_what_is_no_data() {
        check(": hi\n\nid: 1\nretry: 5\n\ndata: a\n\n", &["a"]);
        check("id: 1\ndata: \n\ndata: a\n\n", &["", "a"]);
        check("data\n\n", &[""]);
        check("event: error\ndata: a\nid: 2\n\n", &["a"]);
        check("datax: a\n\n data: b\n\n", &[]);
        check("Jwt issuer is not configured", &[]);
        check("", &[]);
        check("\n\n\r\r\n", &[]);
    }

    /// All events of a stream that arrives in pieces that end at `ends`.
    fn read(stream: &[u8], ends: &[usize]) -> Vec<Vec<u8>> {
        let mut events = Events::new(usize::MAX);
        let mut found = Vec::new();
        let mut from = 0;
        for end in ends.iter().copied().chain([stream.len()]) {
            let end = end.clamp(from, stream.len());
            found.extend(events.push(&stream[from..end]).expect("no cap"));
            from = end;
        }
        found.extend(events.finish());
        found
    }

    proptest::proptest! {
        #[test]
        fn pieces_make_no_difference(
            stream in "(data|data: |:|x|\u{feff}|\r|\n|\r\n){0,40}",
            ends in proptest::collection::vec(0_usize..120, 0..8),
        ) {
            let whole = read(stream.as_bytes(), &[]);
            proptest::prop_assert_eq!(read(stream.as_bytes(), &ends), whole);
        }

        #[test]
        fn no_bytes_are_fatal(stream in proptest::collection::vec(0_u8..=255, 0..200)) {
            read(&stream, &[]);
        }
    }

    #[test]
    fn an_event_has_a_cap() {
        let mut events = Events::new(10);
        assert_eq!(events.push(b"data: 12345"), Err(EventTooLong));
        let mut events = Events::new(10);
        assert_eq!(events.push(b"data: 1\ndata: 2\ndata: 3"), Ok(vec![]));
        assert_eq!(events.push(b"\ndata: 4"), Err(EventTooLong));
    }
}
