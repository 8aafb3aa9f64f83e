// Package feed serves the feeds of rooms.
//
// A room's feed is one sequence of changes with consecutive numbers, stored in segments. Package
// stream appends to it. A client continues from its last position, and misses nothing.
package feed
