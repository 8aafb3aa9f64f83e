package archive

import "example.com/parley/internal/chat"

// threads makes replies wait until the roots of their threads are stored.
type threads struct {
	roots map[chat.MessageID]*root // by the id in the record
}

// root is the first message of a thread.
type root struct {
	done chan struct{}  // closed when the put has returned
	id   chat.MessageID // under which it is stored, known when done
}

// job is a record to store.
type job struct {
	Record
	own    *root // of a record with a thread
	thread *root // of a reply
}

// job returns the job of a record. One goroutine calls it in the order of the archive, and passes
// the jobs to workers in this order.
func (t *threads) job(r Record) job {
	j := job{Record: r, thread: t.roots[r.Thread]}
	if r.Root {
		if t.roots == nil {
			t.roots = map[chat.MessageID]*root{}
		}
		j.own = &root{done: make(chan struct{})}
		t.roots[r.ID()] = j.own
	}
	return j
}

// end releases the replies to j, which is stored under an id, or under wanted if that is zero.
func (j job) end(stored, wanted chat.MessageID) {
	if j.own == nil {
		return
	}
	if j.own.id = stored; stored == (chat.MessageID{}) {
		j.own.id = wanted
	}
	close(j.own.done)
}

// root waits for the root of a reply, and returns its id. It is zero for other messages. A root
// whose put failed also counts, because another import will store it.
func (j job) root() chat.MessageID {
	if j.thread == nil {
		return chat.MessageID{}
	}
	<-j.thread.done
	return j.thread.id
}

// rootAmong returns the id of the root of a reply without waiting, given the ids of messages that
// will be put before it. It reports false if the id is not known yet.
func (j job) rootAmong(ids map[chat.MessageID]bool) (chat.MessageID, bool) {
	if j.thread == nil {
		return chat.MessageID{}, true
	}
	select {
	case <-j.thread.done:
		return j.thread.id, true
	default:
		return j.Thread, ids[j.Thread]
	}
}
