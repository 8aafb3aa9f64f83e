package searching

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/archive/irc"
	"example.com/parley/internal/archive/slack"
	"example.com/parley/internal/chat"
)

const (
	rooms = 20
	// period is the mean time between two messages, so that a million take a year.
	period = 30 * time.Second
	// chinese is the first room in Chinese, and every sixth one is from there: in all, a tenth of
	// the messages.
	chinese, chineseEvery = 3, 6
)

var begin = time.Date(2016, 1, 4, 8, 0, 0, 0, time.UTC)

// Corpus is a history of one person's rooms. Each room repeats the texts of real archives in their
// order. In each repetition, other words of about the same frequency take the place of words, and
// rare words have other letters. The archives have no Chinese, so some rooms have a Chinese
// character or two for each word. A corpus keeps no texts: it computes each message.
type Corpus struct {
	lines  []line
	words  map[string]int // the rank by frequency, from 0
	ranked []string
	counts []int
	of     [rooms][]int32 // the numbers of the messages of each room
	inRoom []int32        // the number of each message in its room
}

// line is a message of an archive.
type line struct {
	user  chat.UserID
	parts []string // words at odd places, and other characters between them
}

// Read returns a corpus of n messages from the archives in a folder.
func Read(dir string, n int) (*Corpus, error) {
	ubuntu, err := irc.Open(irc.Options{Room: "ubuntu", Paths: []string{filepath.Join(dir, "irc-ubuntu")}})
	if err != nil {
		return nil, err
	}
	houston, err := slack.Open(filepath.Join(dir, "slack-houston"), slack.Options{})
	if err != nil {
		return nil, errors.Join(err, ubuntu.Close())
	}
	c := &Corpus{words: map[string]int{}}
	for _, a := range []*archive.Archive{ubuntu, houston} {
		for r := range a.Records() {
			if r.Skip == "" {
				c.lines = append(c.lines, line{r.User, split(r.Text)})
			}
		}
	}
	c.rank()
	for i := range n {
		r := roomOf(i)
		c.inRoom = append(c.inRoom, int32(len(c.of[r])))
		c.of[r] = append(c.of[r], int32(i))
	}
	return c, errors.Join(ubuntu.Close(), houston.Close())
}

// split returns the words of a text at odd places, and other characters at even ones.
func split(text string) (parts []string) {
	for inWord := false; text != ""; inWord = !inWord {
		end := strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) != inWord })
		if end < 0 {
			end = len(text)
		}
		parts = append(parts, text[:end])
		text = text[end:]
	}
	return parts
}

// rank orders the words by frequency.
func (c *Corpus) rank() {
	counts := map[string]int{}
	for _, l := range c.lines {
		for i := 1; i < len(l.parts); i += 2 {
			counts[l.parts[i]]++
		}
	}
	for word := range counts {
		c.ranked = append(c.ranked, word)
	}
	slices.SortFunc(c.ranked, func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	for i, word := range c.ranked {
		c.words[word] = i
		c.counts = append(c.counts, counts[word])
	}
}

// Len returns the number of messages.
func (c *Corpus) Len() int { return len(c.inRoom) }

// Rooms returns the ids of the rooms.
func (c *Corpus) Rooms() (all []chat.RoomID) {
	for r := range rooms {
		all = append(all, roomName(r))
	}
	return all
}

// Message returns the message with a number.
func (c *Corpus) Message(i int) chat.Message {
	l, _ := c.line(i)
	h, at := hash(uint64(i), 1), c.at(i)
	var tail [10]byte
	binary.LittleEndian.PutUint64(tail[:], hash(uint64(i), 2))
	binary.LittleEndian.PutUint16(tail[8:], uint16(hash(h, 3)>>4))
	sent := at.Add(-time.Duration(h>>32%300) * time.Millisecond)
	return chat.Message{
		Room: roomName(roomOf(i)), ID: chat.MessageID{UUID: chat.NewUUID(sent, tail), User: l.user},
		Text: c.text(i), ReceivedAt: at, Revision: 1, Digest: make([]byte, 16),
	}
}

// at returns when a message was received.
func (c *Corpus) at(i int) time.Time {
	within := time.Second + time.Duration(hash(uint64(i), 1)%28_000)*time.Millisecond
	return begin.Add(time.Duration(i)*period + within)
}

// number returns the number of the message with an id.
func (c *Corpus) number(id chat.MessageID) (i int, ok bool) {
	i = int(id.SentAt().Sub(begin) / period)
	return i, i >= 0 && i < c.Len() && c.Message(i).ID == id
}

// roomName returns the id of the room with a number.
func roomName(r int) chat.RoomID { return chat.RoomID("room-" + string(rune('a'+r))) }

// roomOf returns the number of the room of a message. The largest room has a quarter of all
// messages, the second half as many, the third a third.
func roomOf(i int) int {
	const harmonic = 3.5977 // the sum of 1/n to 20
	share := float64(hash(uint64(i), 4)>>11) / (1 << 53) * harmonic
	for r := range rooms {
		if share -= 1 / float64(r+1); share < 0 {
			return r
		}
	}
	return rooms - 1
}

// line returns the line of the archives that a message repeats, and the number of the repetition.
func (c *Corpus) line(i int) (line, uint64) {
	const most = 100 // repetitions in a room
	n := int(c.inRoom[i])
	return c.lines[n%len(c.lines)], uint64(roomOf(i)*most + n/len(c.lines))
}

// text returns the text of a message.
func (c *Corpus) text(i int) string {
	l, repetition := c.line(i)
	han := roomOf(i)%chineseEvery == chinese
	var b strings.Builder
	for at, part := range l.parts {
		switch {
		case at%2 == 1 && han:
			b.WriteString(inChinese(c.shifted(part, repetition)))
		case at%2 == 1:
			b.WriteString(c.shifted(part, repetition))
		case !han || strings.Trim(part, " ") != "":
			b.WriteString(part)
		}
	}
	return b.String()
}

const (
	// fixed is the number of frequent words that stay as they are.
	fixed = 64
	// rare is the number of occurrences below which a word gets other letters.
	rare = 5
)

// shifted returns the word that takes a word's place in a repetition. The first one has all words
// as they are.
func (c *Corpus) shifted(word string, repetition uint64) string {
	rank := c.words[word]
	switch {
	case repetition == 0 || rank < fixed:
		return word
	case c.counts[rank] < rare:
		return respelled(word, repetition)
	}
	// The words of a band are at most twice as frequent as others.
	band := fixed
	for band*2 <= rank {
		band *= 2
	}
	size := min(band, len(c.ranked)-band)
	return c.ranked[band+(rank-band+int(repetition)*7)%size]
}

// respelled returns a word with other letters: vowels for vowels, and consonants for consonants.
func respelled(word string, repetition uint64) string {
	const vowels, consonants = "aeiou", "bcdfghjklmnprstvwxyz"
	h := hash(ofWord(word), repetition)
	return strings.Map(func(r rune) rune {
		for _, letters := range []string{vowels, consonants} {
			if at := strings.IndexRune(letters, r); at >= 0 {
				h = hash(h, 6)
				return rune(letters[(at+int(h%uint64(len(letters))))%len(letters)])
			}
		}
		return r
	}, word)
}

// inChinese returns the Chinese characters of a word: one for a short word, or else two.
func inChinese(word string) string {
	const first, characters, short = 0x4e00, 2500, 3
	h := ofWord(word)
	character := func(h uint64) rune { return first + rune(min(h%characters, h>>32%characters)) }
	if len(word) <= short {
		return string(character(h))
	}
	return string([]rune{character(h), character(hash(h, 7))})
}

func ofWord(word string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(word))
	return hash(h.Sum64(), 0)
}

// hash mixes two numbers, as SplitMix64 does.
func hash(a, b uint64) uint64 {
	z := a + (b+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
