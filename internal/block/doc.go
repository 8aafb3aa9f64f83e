// Package block stores whom people have blocked. A block takes effect where its owner reads, so
// that the blocked person cannot notice it. To the blocked person, its owner seems offline.
package block
