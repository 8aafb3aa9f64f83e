package history_test

import (
	"fmt"

	"github.com/anishathalye/porcupine"

	"example.com/parley/internal/chat"
)

// kind is the kind of an operation on a message.
type kind int

const (
	post kind = iota
	edit
	remove
	get
)

// call is an operation on one message.
type call struct {
	messageKey
	kind      kind
	text      string      // of a post or an edit
	base      int         // of an edit or a deletion
	deletedBy chat.UserID // the user who deletes
}

// outcome is the result of a call.
type outcome int

const (
	unknown   outcome = iota // unavailable: it took effect, still will, or never does
	succeeded                // the call changed or read the message
	replayed                 // a retry of an earlier change
	notFound                 // no such message exists
	stale                    // the message has another revision
	conflict                 // the message is deleted or has another text
)

// answer is the response to a call.
type answer struct {
	outcome  outcome
	view     view // the returned message, if any
	revision int  // the revision that a stale answer names
	resent   bool // the write was sent repeatedly, so it may have met itself
}

// view is a message as an answer returns it.
type view struct {
	revision   int
	text       string
	deleted    bool
	deletedBy  chat.UserID // the user who deleted it
	receivedAt int64
	changedAt  int64 // the time of the last edit or the deletion
}

// unbound is a time that no answer has shown yet. A call of unknown outcome took it from the
// server's clock. The first answer that shows the time binds it.
const unbound = -1

func viewOf(m chat.Message) view {
	v := view{revision: m.Revision, text: m.Text, deleted: m.Deleted(), deletedBy: m.DeletedBy, receivedAt: m.ReceivedAt.UnixMilli()}
	switch {
	case m.Deleted():
		v.changedAt = m.DeletedAt.UnixMilli()
	case !m.EditedAt.IsZero():
		v.changedAt = m.EditedAt.UnixMilli()
	}
	return v
}

// register is a message in the model. It does not exist at revision 0.
type register struct {
	view
	original string // the posted text, which identifies a retry
}

// messages returns the model of one message. Linearizability is local: a room is linearizable
// exactly if each of its messages is. The checker therefore checks messages one by one.
//
// A call of unknown outcome takes effect if it can. The checker may place it after all other calls,
// where no answer shows its effect. That represents a call that never took effect, so one step
// covers both cases.
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
	case post:
		return m.post(c, a)
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

// shows reports whether m equals v. Times that v is the first to show are bound.
func (m register) shows(v view) (bool, register) {
	if m.receivedAt == unbound {
		m.receivedAt = v.receivedAt
	}
	if m.changedAt == unbound {
		m.changedAt = v.changedAt
	}
	return m.revision > 0 && m.view == v, m
}

func (m register) posted(text string) register {
	return register{view: view{revision: 1, text: text, receivedAt: unbound}, original: text}
}

func (m register) post(c call, a answer) (bool, register) {
	absent := m.revision == 0
	switch a.outcome {
	case unknown:
		if absent {
			m = m.posted(c.text)
		}
		return true, m
	case succeeded:
		if absent {
			return m.posted(c.text).shows(a.view)
		}
		// Two posts of the same text in the same millisecond cannot be distinguished. Both may
		// succeed if one of them was resent.
		if a.resent && m.original == c.text && m.receivedAt == a.view.receivedAt {
			return m.shows(a.view)
		}
	case replayed:
		if m.original == c.text {
			return m.shows(a.view)
		}
	case conflict:
		return !absent && m.original != c.text, m
	}
	return false, m
}

func (m register) edited(text string) register {
	m.revision++
	m.text, m.changedAt = text, unbound
	return m
}

func (m register) edit(c call, a answer) (bool, register) {
	exists, last := m.revision > 0 && !m.deleted, c.base == chat.AnyRevision
	applies := exists && (m.revision == c.base || last && m.text != c.text)
	applied := exists && (m.revision == c.base+1 || last) && m.text == c.text
	switch a.outcome {
	case unknown:
		if applies {
			m = m.edited(c.text)
		}
		return true, m
	case succeeded:
		if applies {
			return m.edited(c.text).shows(a.view)
		}
	case replayed:
		if applied {
			return m.shows(a.view)
		}
		if applies && a.resent {
			return m.edited(c.text).shows(a.view) // its own write
		}
	case notFound:
		return m.revision == 0, m
	case stale:
		return m.revision > 0 && !m.deleted && !applies && !applied && m.revision == a.revision, m
	case conflict:
		return m.deleted, m
	}
	return false, m
}

func (m register) removed(deletedBy chat.UserID) register {
	m.revision++
	m.text, m.deleted, m.deletedBy, m.changedAt = "", true, deletedBy, unbound
	return m
}

func (m register) remove(c call, a answer) (bool, register) {
	applies := m.revision > 0 && !m.deleted && (c.base == chat.AnyRevision || c.base == m.revision)
	switch a.outcome {
	case unknown:
		if applies {
			m = m.removed(c.deletedBy)
		}
		return true, m
	case succeeded: // also the answer for a deleted message
		if m.deleted {
			return m.shows(a.view)
		}
		if applies {
			return m.removed(c.deletedBy).shows(a.view)
		}
	case notFound:
		return m.revision == 0, m
	case stale:
		return m.revision > 0 && !m.deleted && !applies && m.revision == a.revision, m
	}
	return false, m
}
