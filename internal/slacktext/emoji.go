package slacktext

import (
	_ "embed" // the names of emoji
	"strings"
	"sync"

	"example.com/parley/internal/emoji"
)

//go:embed shortnames.txt
var shortNameList string

// shortNames returns Slack's names of emoji, as written by scripts/shortnames.
var shortNames = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(shortNameList) {
		name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		all[name] = text
	}
	all["simple_smile"] = all["slightly_smiling_face"] // which replaced it in 2016
	return all
})

// skinTones are the modifiers that Slack numbers from 2 to 6.
const (
	skinTonePrefix = "skin-tone-"
	skinTones      = "🏻🏼🏽🏾🏿"
)

// EmojiKey returns the key of an emoji given Slack's name, such as "clap::skin-tone-3". It reports
// false for a custom emoji. A tone that the emoji does not support is ignored.
func EmojiKey(name string) (key string, ok bool) {
	base, tones, _ := strings.Cut(name, "::")
	text, ok := shortNames()[base]
	if !ok {
		return "", false
	}
	if tones, ok := strings.CutPrefix(tones, skinTonePrefix); ok {
		if key, ok := emoji.Key(withTones(text, tones)); ok {
			return key, true
		}
	}
	return emoji.Key(text)
}

// withTones puts tones, numbers such as "3" or "2-4", after the first and the last person of an
// emoji.
func withTones(text, tones string) string {
	first, last, two := strings.Cut(tones, "-")
	parts := strings.Split(text, joiner)
	parts[0] = withTone(parts[0], first)
	if two {
		parts[len(parts)-1] = withTone(parts[len(parts)-1], last)
	}
	return strings.Join(parts, joiner)
}

// joiner joins the parts of an emoji. A tone replaces the selector of the colored form.
const (
	joiner   = "\u200D"
	selector = "\uFE0F"
)

// withTone puts the tone with a number after a part of an emoji.
func withTone(part, number string) string {
	if len(number) != 1 || number < "2" || number > "6" {
		return part
	}
	tone := []rune(skinTones)[number[0]-'2']
	return strings.TrimSuffix(part, selector) + string(tone)
}

// withEmoji replaces the names of emoji in a text that has no other marks.
func withEmoji(text string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(text, ':')
		if at < 0 {
			return b.String() + text
		}
		b.WriteString(text[:at])
		text = text[at:]
		if name, length, ok := cutEmoji(text); ok && !isNumber(name) {
			key, _ := EmojiKey(name)
			b.WriteString(emoji.Text(key))
			text = text[length:]
			continue
		}
		b.WriteByte(':')
		text = text[1:]
	}
}

// cutEmoji returns the name of the emoji at the beginning of a text, such as "wave::skin-tone-2",
// and the length of its code. It reports false unless Slack has such an emoji.
func cutEmoji(text string) (name string, length int, ok bool) {
	const longest = 60
	end := strings.IndexByte(text[1:min(len(text), longest)], ':') + 1
	if end <= 1 {
		return "", 0, false
	}
	if tone := text[end:]; strings.HasPrefix(tone, "::"+skinTonePrefix) {
		if length := strings.IndexByte(tone[2:], ':'); length > 0 {
			if _, ok := EmojiKey(text[1 : end+2+length]); ok {
				return text[1 : end+2+length], end + 2 + length + 1, true
			}
		}
	}
	_, ok = EmojiKey(text[1:end])
	return text[1:end], end + 1, ok
}
