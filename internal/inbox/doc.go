// Package inbox serves one person's state: their rooms, how far they have read in each, and how
// much is unread. It reads the feeds of rooms and never writes them.
package inbox
