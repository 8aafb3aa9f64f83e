// Package app connects the chat with the capabilities beside it. The edges serve what it returns.
package app
