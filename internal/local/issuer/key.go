package issuer

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/publickey"
)

// Keys are files of the data folder: issuer-key.pem is the first, then issuer-key-2.pem,
// issuer-key-3.pem and so on. The last one signs. A file is never changed, so that processes need
// no lock.
const (
	keyPrefix = "issuer-key"
	keySuffix = ".pem"
	keyBits   = 2048
	pemBlock  = "PRIVATE KEY"
	// createdHeader is the PEM header with the time at which the key started to sign and the
	// previous key stopped.
	createdHeader = "Made"
)

// signingKey is a key and its period of validity.
type signingKey struct {
	number  int
	id      string
	private *rsa.PrivateKey
	created time.Time // zero for the first
	// end is the time at which every token that the key signed has expired; zero while it signs.
	end time.Time
}

// expired reports whether all tokens of the key have expired.
func (k signingKey) expired(now time.Time) bool { return !k.end.IsZero() && !now.Before(k.end) }

func keyName(number int) string {
	if number == 1 {
		return keyPrefix + keySuffix
	}
	return keyPrefix + "-" + strconv.Itoa(number) + keySuffix
}

// keyNumber returns the number in the name of a key file, or 0 for any other file.
func keyNumber(name string) int {
	text, isKey := strings.CutPrefix(strings.TrimSuffix(name, keySuffix), keyPrefix)
	number := 1
	if text != "" {
		number, _ = strconv.Atoi(strings.TrimPrefix(text, "-"))
	}
	if !isKey || number < 1 || keyName(number) != name {
		return 0
	}
	return number
}

// listKeys returns the numbers of the folder's keys in order.
func listKeys(dir string) ([]int, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list the keys: %w", err)
	}
	var numbers []int
	for _, f := range files {
		if n := keyNumber(f.Name()); n > 0 {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}

// readKeys reads the keys with these numbers. A key ends when every token that was signed before
// the next key was created has expired.
func readKeys(dir string, numbers []int) ([]signingKey, error) {
	var keys []signingKey
	for _, number := range numbers {
		key, err := readKey(filepath.Join(dir, keyName(number)))
		if errors.Is(err, fs.ErrNotExist) {
			continue // it had expired, and a rotation has just removed it
		}
		if err != nil {
			return nil, err
		}
		key.number = number
		if last := len(keys) - 1; last >= 0 {
			keys[last].end = key.created.Add(MaxLife)
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, errors.New("read the keys: the folder has none")
	}
	return keys, nil
}

func readKey(path string) (signingKey, error) {
	block, key, err := readPrivate(path)
	if err != nil {
		return signingKey{}, fmt.Errorf("read the key: %w; remove it to get a new one", err)
	}
	var created time.Time
	if stamp, has := block.Headers[createdHeader]; has {
		if created, err = time.Parse(time.RFC3339, stamp); err != nil {
			return signingKey{}, fmt.Errorf("read the key: %s: its time of creation: %w", path, err)
		}
	}
	return signingKey{id: publickey.Thumbprint(&key.PublicKey), private: key, created: created}, nil
}

// readPrivate reads a file with a private key. The error quotes nothing from it.
func readPrivate(path string) (*pem.Block, *rsa.PrivateKey, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != pemBlock {
		return nil, nil, fmt.Errorf("%s holds no %s in PEM", path, pemBlock)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, nil, fmt.Errorf("%s holds a %T", path, parsed)
	}
	return block, key, nil
}

// createKey writes a new key under a temporary name and links it to path. The link fails if a key
// exists there. No reader therefore sees an incomplete key, and no key is ever replaced. The second
// of two processes uses the key of the first.
func createKey(path string, created time.Time, random io.Reader) (err error) {
	key, err := rsa.GenerateKey(random, keyBits)
	if err != nil {
		return fmt.Errorf("create a key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return fmt.Errorf("create a key: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // created with mode 0600
	if err != nil {
		return fmt.Errorf("write the key: %w", err)
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	headers := map[string]string{createdHeader: created.UTC().Format(time.RFC3339)}
	_, err = f.Write(pem.EncodeToMemory(&pem.Block{Type: pemBlock, Headers: headers, Bytes: der}))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write the key: %w", err)
	}
	if err := os.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write the key: %w", err)
	}
	return nil
}
