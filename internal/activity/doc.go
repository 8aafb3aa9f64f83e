// Package activity keeps logs on a numeric time: the events that people's devices report, and the audits
// of rooms. Entries expire.
package activity
