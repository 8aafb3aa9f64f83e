// Package activity stores logs whose sort key is a numeric time: the events that people's devices
// report, and the audit logs of rooms. Entries expire.
package activity
