package chat

// FeedPosition is a client's position in a room's feed. The zero FeedPosition is the beginning.
type FeedPosition struct {
	Seq int64 // the last number that the client has seen
	// Generation is the feed's when Seq was given. A number alone is no position: a restored table
	// gives the same numbers to other changes.
	Generation string
}

// Text returns the form of p that clients keep: a cursor, and so opaque. It is bound to its room,
// since all feeds have the same numbers and most have the same generation.
//
// Clients store it for as long as segments are retained. A later cursorVersion must still read it,
// or every client begins again.
func (p FeedPosition) Text(room RoomID) string { return EncodeCursor(positionScope(room), &p) }

// ParseFeedPosition reads the one text that Text returns for the same room. Any other is Invalid.
func ParseFeedPosition(room RoomID, text string) (FeedPosition, error) {
	var p FeedPosition
	if DecodeCursor(positionScope(room), text, &p) != nil {
		return FeedPosition{}, Invalidf("since", "must be the since of an answer about this room, unchanged; leave it out to read from the beginning")
	}
	return p, nil
}

// CursorFields implements CursorPosition.
func (p *FeedPosition) CursorFields(f *CursorFields) {
	f.Int(&p.Seq)
	f.Text(&p.Generation)
	f.Check(p.Seq >= 0 && p.Seq <= MaxSeq)
}

func positionScope(room RoomID) CursorScope { return NewCursorScope("feed").Text(string(room)) }
