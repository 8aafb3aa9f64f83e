package search_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/search"
)

// texts returns made-up texts, some of them in Chinese. Their words have the frequencies of a
// language's.
func texts(n int) (all []string) {
	r := rand.New(rand.NewPCG(1, 2))
	frequency := rand.NewZipf(r, 1.1, 4, 20_000)
	for i := range n {
		var words []string
		for range 3 + r.IntN(15) {
			word := frequency.Uint64()
			if i%8 == 0 {
				words = append(words, string([]rune{rune(0x4e00 + word%2000), rune(0x4e00 + word/10)}))
			} else {
				words = append(words, fmt.Sprintf("W%xord", word))
			}
		}
		all = append(all, strings.Join(words, " "))
	}
	return all
}

func BenchmarkFold(b *testing.B) {
	all := texts(1000)
	b.SetBytes(int64(len(strings.Join(all, ""))))
	for b.Loop() {
		for _, text := range all {
			search.Fold(text)
		}
	}
}

func benchmarkBlock() *search.Block {
	var docs []search.Doc
	r := rand.New(rand.NewPCG(3, 4))
	for i, text := range texts(20_000) {
		at := start.Add(time.Duration(i) * time.Minute)
		random := [10]byte{byte(r.Uint32()), byte(r.Uint32()), 0, byte(i), byte(i >> 8)}
		id := chat.MessageID{User: chat.UserID(fmt.Sprintf("user-%d", r.IntN(200))), UUID: chat.NewUUID(at, random)}
		docs = append(docs, search.Doc{ID: id, ReceivedAt: at, Text: search.Fold(text)})
	}
	return search.NewBlock("seattle", docs)
}

// BenchmarkTerm_In searches all texts of a block, one after the other.
func BenchmarkTerm_In(b *testing.B) {
	docs := benchmarkBlock().Docs()
	for _, text := range []string{"missing", "w1", "w", "一二"} {
		b.Run(text, func(b *testing.B) {
			term := search.Term{Text: text}
			for b.Loop() {
				for _, d := range docs {
					term.In(d.Text)
				}
			}
		})
	}
}

func BenchmarkCodec_Encode(b *testing.B) {
	c, all := search.NewCodec(), benchmarkBlock()
	for b.Loop() {
		c.Encode(all)
	}
}

func BenchmarkCodec_Decode(b *testing.B) {
	c := search.NewCodec()
	encoded := c.Encode(benchmarkBlock())
	b.SetBytes(int64(len(encoded)))
	for b.Loop() {
		if _, err := c.Decode(encoded); err != nil {
			b.Fatal(err)
		}
	}
}
