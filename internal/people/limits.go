package people

import "time"

const (
	// MaxTitle limits a person's title, in bytes. It is part of keys and one line in a list.
	MaxTitle = 100
	// MaxState limits the name of the state where a person lives, as MaxTitle does.
	MaxState = 64
	// MaxFormer is the maximum number of former titles that are stored. It exceeds the titles of a
	// working life, and a whole person still fits in one transaction of 100 items.
	MaxFormer = 20
	// MinHiredYear is earlier than the hiring of anyone who can sign in.
	MinHiredYear = 1900
	// MaxAvatar limits the URL of an avatar, in bytes. Signed URLs of picture hosts are shorter. A
	// page of 200 people with such URLs is still a small answer.
	MaxAvatar = 1000
	// MaxStatusText limits the text of a status, in bytes. It is one line next to a name.
	MaxStatusText = 100
	// MaxEmoji limits an emoji, in bytes. The longest sequence that Unicode recommends has 35.
	MaxEmoji = 40
	// MaxIDs is the number of people that one call reads by id: one batch.
	MaxIDs = 100

	// CardAge is how long lists may show a person's previous name and avatar.
	CardAge = time.Minute
	// MaxCards is the number of cards that a process caches: a few megabytes.
	MaxCards = 10_000
)
