// Package archive reads what other chat systems export, Slack workspaces and
// IRC logs, and loads it into a store.
//
// An archive is a list of rooms and a stream of records. A record is either a
// message or a skip with a reason, so that everything that was read is counted.
// Message ids derive from where a message stands in its archive: loading the
// same archive again adds nothing.
package archive
