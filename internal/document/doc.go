// Package document stores the documents of rooms: their metadata, permissions and parts. Every
// version of a part is stored.
package document
