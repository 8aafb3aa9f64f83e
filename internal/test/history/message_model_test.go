package history_test

import (
	"fmt"

	"github.com/anishathalye/porcupine"

	"parley/internal/chat"
)

// kind is what was asked of a message.
type kind int

const (
	send kind = iota
	edit
	remove
	get
)

// call is an operation on one message.
type call struct {
	place
	kind kind
	text string      // of a send or an edit
	base int         // of an edit or a deletion
	by   chat.UserID // who deletes
}

// outcome is how a call ended.
type outcome int

const (
	unknown  outcome = iota // unavailable: it may have taken effect, it may yet, or never
	made                    // it made the change, or read the message
	kept                    // the change had been made before: a retry
	notFound                // there was no such message
	stale                   // the message was at another revision
	conflict                // it was deleted, or is another text's
)

// answer is what a call returned.
type answer struct {
	outcome  outcome
	view     view // the message that it shows, where it shows one
	revision int  // that a stale one names
	again    bool // the write was sent more than once, so it may have met its own traces
}

// view is a message as an answer shows it.
type view struct {
	revision int
	text     string
	deleted  bool
	by       chat.UserID // who deleted it
	received int64
	changed  int64 // when it was edited last, or deleted
}

// unbound stands for a time that nobody has been shown yet: a call of unknown outcome took
// it from the server's clock. The first answer that shows it binds it.
const unbound = -1

func viewOf(m chat.Message) view {
	v := view{revision: m.Revision, text: m.Text, deleted: m.Deleted(), by: m.DeletedBy, received: m.ReceivedAt.UnixMilli()}
	switch {
	case m.Deleted():
		v.changed = m.DeletedAt.UnixMilli()
	case !m.EditedAt.IsZero():
		v.changed = m.EditedAt.UnixMilli()
	}
	return v
}

// register is a message in the model; revision 0 is none.
type register struct {
	view
	original string // the text it was sent with, by which a retry is known
}

// messages is the model of one message. That a room is linearizable exactly when each of its
// messages is, lets the checker look at one after the other: linearizability is local.
//
// A call of unknown outcome takes effect where it can, and else does nothing. The checker may put it after
// everything else, where its effect shows in no answer: that stands for a call that never took effect, so one
// step is enough for both.
func messages() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return register{} },
		Step: func(state, input, output any) (bool, any) {
			ok, next := step(state.(register), input.(call), output.(answer))
			return ok, next
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v -> %+v", input, output) },
	}
}

func step(m register, c call, a answer) (bool, register) {
	switch c.kind {
	case send:
		return m.send(c, a)
	case edit:
		return m.edit(c, a)
	case remove:
		return m.remove(c, a)
	}
	if a.outcome == notFound {
		return m.revision == 0, m
	}
	return m.shows(a.view)
}

// shows tells whether m looks like v, and binds what v is the first to show.
func (m register) shows(v view) (bool, register) {
	if m.received == unbound {
		m.received = v.received
	}
	if m.changed == unbound {
		m.changed = v.changed
	}
	return m.revision > 0 && m.view == v, m
}

func (m register) sent(text string) register {
	return register{view: view{revision: 1, text: text, received: unbound}, original: text}
}

func (m register) send(c call, a answer) (bool, register) {
	free := m.revision == 0
	switch a.outcome {
	case unknown:
		if free {
			m = m.sent(c.text)
		}
		return true, m
	case made:
		if free {
			return m.sent(c.text).shows(a.view)
		}
		// Two calls that send the same within one millisecond, one of them more than once, may both
		// be told that they made it: there is nothing to tell them apart by.
		if a.again && m.original == c.text && m.received == a.view.received {
			return m.shows(a.view)
		}
	case kept:
		if m.original == c.text {
			return m.shows(a.view)
		}
	case conflict:
		return !free && m.original != c.text, m
	}
	return false, m
}

func (m register) edited(text string) register {
	m.revision++
	m.text, m.changed = text, unbound
	return m
}

func (m register) edit(c call, a answer) (bool, register) {
	fits := m.revision > 0 && m.revision == c.base && !m.deleted
	done := m.revision == c.base+1 && m.text == c.text && !m.deleted
	switch a.outcome {
	case unknown:
		if fits {
			m = m.edited(c.text)
		}
		return true, m
	case made:
		if fits {
			return m.edited(c.text).shows(a.view)
		}
	case kept:
		if done {
			return m.shows(a.view)
		}
		if fits && a.again {
			return m.edited(c.text).shows(a.view) // its own traces
		}
	case notFound:
		return m.revision == 0, m
	case stale:
		return m.revision > 0 && !m.deleted && !fits && !done && m.revision == a.revision, m
	case conflict:
		return m.deleted, m
	}
	return false, m
}

func (m register) removed(by chat.UserID) register {
	m.revision++
	m.text, m.deleted, m.by, m.changed = "", true, by, unbound
	return m
}

func (m register) remove(c call, a answer) (bool, register) {
	fits := m.revision > 0 && !m.deleted && (c.base == chat.AnyRevision || c.base == m.revision)
	switch a.outcome {
	case unknown:
		if fits {
			m = m.removed(c.by)
		}
		return true, m
	case made: // which is also the answer for what is deleted already
		if m.deleted {
			return m.shows(a.view)
		}
		if fits {
			return m.removed(c.by).shows(a.view)
		}
	case notFound:
		return m.revision == 0, m
	case stale:
		return m.revision > 0 && !m.deleted && !fits && m.revision == a.revision, m
	}
	return false, m
}
