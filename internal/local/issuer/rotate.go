package issuer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Rotate creates a new key, which signs from now on, in this and every other process that uses the
// folder. Earlier keys stay in the key set until their tokens have expired, and are then removed.
// Concurrent rotations create one key.
func (i *Issuer) Rotate() error {
	keys, err := i.current()
	if err != nil {
		return fmt.Errorf("rotate the issuer's key: %w", err)
	}
	now := i.cfg.Clock()
	next := filepath.Join(i.cfg.Dir, keyName(keys[len(keys)-1].number+1))
	// Times are stored in whole seconds. Rounding up ensures that no token of the previous key
	// outlives the key.
	if err := createKey(next, now.Add(time.Second), i.cfg.Rand); err != nil {
		return fmt.Errorf("rotate the issuer's key: %w", err)
	}
	for _, key := range keys {
		if !key.expired(now) {
			continue
		}
		err := os.Remove(filepath.Join(i.cfg.Dir, keyName(key.number)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("rotate the issuer's key: %w", err)
		}
	}
	return nil
}

// current returns the folder's current keys. It reads the files only if their names have changed,
// so that an unknown key id only causes a listing of the folder.
func (i *Issuer) current() ([]signingKey, error) {
	numbers, err := listKeys(i.cfg.Dir)
	if err != nil {
		return nil, err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if slices.Equal(numbers, i.numbers) {
		return i.keys, nil
	}
	keys, err := readKeys(i.cfg.Dir, numbers)
	if err != nil {
		return nil, err
	}
	i.keys, i.numbers = keys, numbers
	return keys, nil
}
