package chat

import "context"

// IsReply reports whether m belongs to the thread of another message.
func (m Message) IsReply() bool { return m.Thread != (MessageID{}) }

// InRoom reports whether the room lists m and counts it. Replies are listed only in their thread,
// unless they have ShowInRoom.
func (m Message) InRoom() bool { return !m.IsReply() || m.ShowInRoom }

// threadOf returns the root of a draft's thread. The error is Invalid if ShowInRoom is set without
// a thread.
func (d MessageDraft) threadOf() (MessageID, error) {
	if d.ShowInRoom && d.Thread == (MessageID{}) {
		return MessageID{}, Invalidf("showInRoom", "must come with thread")
	}
	return d.Thread, nil
}

// checkRoot checks that a reply may join its thread. For a reply that was posted before the root
// was deleted, it returns the stored message and replay is true. Messages that are not replies
// always pass.
//
// The error is Invalid if the root does not exist, is a system message or is a reply itself, and
// Conflict if it is deleted.
func (s *Service) checkRoot(ctx context.Context, m Message) (stored Message, replay bool, err error) {
	if !m.IsReply() {
		return Message{}, false, nil
	}
	root, err := s.store.Message(ctx, m.Room, m.Thread)
	switch {
	case KindOf(err) == NotFound:
		return Message{}, false, Invalidf("thread", "must be the id of a message of this room")
	case err != nil:
		return Message{}, false, err
	case root.System != nil:
		return Message{}, false, Invalidf("thread", "must not be a system message, which has no thread")
	case root.IsReply():
		return Message{}, false, Invalidf("thread", "must not be a reply; the root of its thread is %s", root.Thread)
	case !root.Deleted():
		return Message{}, false, nil
	}
	if stored, err = s.store.Message(ctx, m.Room, m.ID); err == nil {
		return asReplay(m, stored)
	}
	if KindOf(err) == NotFound {
		err = &Error{Kind: Conflict, Field: "thread", Detail: "the message is deleted and takes no more replies"}
	}
	return Message{}, false, err
}
