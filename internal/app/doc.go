// Package app connects the chat service with the services for people, documents, activity and the
// feed. The edges serve its result.
package app
