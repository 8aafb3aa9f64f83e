// Package archive imports the exports of other chat systems into a store. Its subpackages slack
// and irc open the formats.
//
// An archive is a list of rooms and a stream of records. A record is either a message or a skip
// with a reason, so that every record is counted. Message ids derive from the position of a
// message in its archive. Loading the same archive again therefore adds nothing.
package archive
