package chat

// FeedPosition is a client's position in a room's feed. The zero FeedPosition is the beginning.
type FeedPosition struct {
	Seq int64 // the last sequence number that the client has seen
	// Generation is the generation of the feed in which Seq was assigned. A number is not enough,
	// because a restored table assigns the same numbers to other changes.
	Generation string
}

// Text returns p as opaque text for clients, in the format of a cursor. It is bound to the room,
// because the feeds of all rooms share numbers and usually a generation.
//
// Clients store it for as long as segments are retained. Later versions must still decode it;
// otherwise every client starts over.
func (p FeedPosition) Text(room RoomID) string { return EncodeCursor(positionScope(room), &p) }

// ParseFeedPosition parses the text that FeedPosition.Text returns for the same room. Any other
// text is Invalid.
func ParseFeedPosition(room RoomID, text string) (FeedPosition, error) {
	var p FeedPosition
	if DecodeCursor(positionScope(room), text, &p) != nil {
		return FeedPosition{}, Invalidf(
			"since",
			"must be the since of an answer about this room, unchanged; leave it out to read from the beginning",
		)
	}
	return p, nil
}

// CursorFields implements CursorPosition.
func (p *FeedPosition) CursorFields(f *CursorCodec) {
	f.Int(&p.Seq)
	f.Text(&p.Generation)
	f.Check(p.Seq >= 0 && p.Seq <= MaxSeq)
}

func positionScope(room RoomID) CursorScope { return NewCursorScope("feed").Text(string(room)) }
