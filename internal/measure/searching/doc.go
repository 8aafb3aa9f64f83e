// Package searching measures searches in large histories of one person's rooms. The texts are those
// of real archives, repeated with shifted words.
package searching
