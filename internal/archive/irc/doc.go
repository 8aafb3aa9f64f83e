// Package irc opens the logs of an IRC channel as an archive.
package irc
