package inbox

// previewLength is the number of characters of a message that a list of rooms shows: a few lines.
const previewLength = 200

// Preview returns the first 200 characters of a message's text. It never splits a character.
func Preview(text string) string {
	n := 0
	for at := range text {
		if n == previewLength {
			return text[:at]
		}
		n++
	}
	return text
}
