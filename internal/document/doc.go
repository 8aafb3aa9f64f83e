// Package document keeps the documents of rooms: their metadata, their permissions, and their parts, of
// which every version is kept.
package document
