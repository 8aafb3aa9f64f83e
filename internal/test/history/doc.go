// Package history tests what concurrent clients see, on the real engine.
//
// Histories of concurrent calls are recorded while the store fails in every possible way, and
// checked for linearizability. The messages of each room are registers with revisions, and its feed
// is an append-only log. A part of a document is a register too. The memberships of a room are one
// state, because a change depends on the roles of two people. Some readers follow the feeds through
// sockets, over a network that fails. Listings promise less, because their index lags. Their check
// is that a page and the changes after it are complete.
//
// A checker that never fails proves nothing. Faults are therefore seeded behind the same
// interfaces, and each must be found.
package history
