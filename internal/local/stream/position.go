package stream

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"example.com/parley/internal/local/file"
)

// position is the stored position in a stream.
type position struct {
	Stream string `json:"stream"`
	// Done maps each shard to the sequence number of its last processed record.
	Done map[string]string `json:"done"`
}

// readPosition reads the position in a stream. It returns the beginning if the file does not exist
// or is of another stream. For an unreadable file it also returns the beginning, with an error,
// because the feed ignores repeated changes.
func readPosition(path, stream string) (p position, unreadable error) {
	none := position{Stream: stream, Done: map[string]string{}}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return none, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return none, fmt.Errorf("read the position: %w", err)
	}
	if p.Stream != stream || p.Done == nil {
		return none, nil
	}
	return p, nil
}

// write stores the position. It does not sync the file: losing the position in a power failure
// only causes repetitions.
func (p position) write(path string) error {
	text, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("write the position: %w", err)
	}
	return file.Write(path, append(text, '\n'))
}
