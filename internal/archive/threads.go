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
// each job to a worker before the next.
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
