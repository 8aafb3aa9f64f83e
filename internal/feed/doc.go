// Package feed reads the feeds of rooms and keeps read markers.
//
// A room's feed is one unbroken sequence of changes, stored in segments. The package feedwriter appends
// to it. A client continues from its last position, and misses nothing.
package feed
