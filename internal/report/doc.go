// Package report stores which messages people have reported, for moderators and services. A report
// never holds the text of a message.
package report
