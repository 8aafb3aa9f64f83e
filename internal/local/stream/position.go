package stream

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"parley/internal/local/file"
)

// position is how far a stream has been delivered, as its file tells it.
type position struct {
	Stream string `json:"stream"`
	// Done has, for each shard, the number of the last record that is done with.
	Done map[string]string `json:"done"`
}

// readPosition reads where a stream goes on. Of another stream, or of none, nothing has been
// delivered. A file that cannot be read is no reason to stop: what comes again is left out of the
// feed.
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

// write keeps the position. It is not flushed to the disk: a position that is lost with the
// machine's power costs a repetition.
func (p position) write(path string) error {
	text, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("write the position: %w", err)
	}
	return file.Write(path, append(text, '\n'))
}
