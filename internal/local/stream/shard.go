package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/aws/smithy-go"

	"example.com/parley/internal/config"
	"example.com/parley/internal/local/file"
)

// shard is an ordered part of the stream. The engine has one. Other engines start a new one every
// few hours.
type shard struct {
	id, parent string
	iterator   *string // nil if a new one is needed
	resumes    bool    // the iterator begins with the record that was delivered last
	ended      bool
}

// list adds the shards that are not known yet.
func (p *Poller) list(ctx context.Context) error {
	known := map[string]bool{}
	for _, s := range p.shards {
		known[s.id] = true
	}
	in := &dynamodbstreams.DescribeStreamInput{StreamArn: &p.cfg.ARN}
	for {
		out, err := p.cfg.Streams.DescribeStream(ctx, in)
		if err != nil {
			return fmt.Errorf("list its shards: %w", err)
		}
		for _, s := range out.StreamDescription.Shards {
			if id := aws.ToString(s.ShardId); !known[id] {
				p.shards = append(p.shards, &shard{id: id, parent: aws.ToString(s.ParentShardId)})
			}
		}
		if in.ExclusiveStartShardId = out.StreamDescription.LastEvaluatedShardId; in.ExclusiveStartShardId == nil {
			p.relist = false
			return nil
		}
	}
}

// unfinished reports whether a shard still has records. They come before its children's records.
func (p *Poller) unfinished(id string) bool {
	for _, s := range p.shards {
		if s.id == id {
			return !s.ended
		}
	}
	return false
}

// read reads from a shard once and delivers the records. After a failure, the next read continues
// after the last processed record.
func (p *Poller) read(ctx context.Context, s *shard) (read int, err error) {
	records, next, err := p.records(ctx, s)
	if err == nil {
		err = p.deliver(ctx, s.id, records)
	}
	if err != nil {
		s.iterator = nil
		return len(records), err
	}
	s.iterator, s.ended = next, next == nil
	p.relist = p.relist || s.ended
	return len(records), nil
}

// records returns the next records of a shard. If the last delivered record is missing, the stream
// was reset to an earlier state or has lost its beginning, or another version of the engine wrote
// its number differently. The shard is then delivered from its beginning, because the missing
// records are unknown.
func (p *Poller) records(ctx context.Context, s *shard) ([]types.Record, *string, error) {
	last := p.position.Done[s.id]
	out, err := p.get(ctx, s)
	var trimmed *types.TrimmedDataAccessException
	var invalid smithy.APIError
	lost := errors.As(
		err, &trimmed,
	) || last != "" && errors.As(err, &invalid) && invalid.ErrorCode() == "ValidationException"
	if err == nil && s.resumes {
		s.resumes = false
		if len(out.Records) > 0 && sequenceOf(out.Records[0]) == last {
			out.Records = out.Records[1:]
		} else {
			lost = true
		}
	}
	if lost {
		p.cfg.Log.WarnContext(ctx, "the stream does not hold what was delivered last; it is delivered from its "+
			"beginning, "+
			"and chat feed repair finds what is missing", "shard", s.id, "sequence", last)
		delete(p.position.Done, s.id)
		s.iterator = nil
		out, err = p.get(ctx, s)
	}
	if err != nil {
		return nil, nil, err
	}
	return out.Records, out.NextShardIterator, nil
}

// get reads at the shard's iterator. If there is none, it begins at the last delivered record, or
// at the beginning of the shard.
func (p *Poller) get(ctx context.Context, s *shard) (*dynamodbstreams.GetRecordsOutput, error) {
	if s.iterator == nil {
		in := &dynamodbstreams.GetShardIteratorInput{
			StreamArn: &p.cfg.ARN, ShardId: &s.id, ShardIteratorType: types.ShardIteratorTypeTrimHorizon,
		}
		last := p.position.Done[s.id]
		if s.resumes = last != ""; s.resumes {
			in.ShardIteratorType, in.SequenceNumber = types.ShardIteratorTypeAtSequenceNumber, &last
		}
		it, err := p.cfg.Streams.GetShardIterator(ctx, in)
		if err != nil {
			return nil, fmt.Errorf("find the position in shard %s: %w", s.id, err)
		}
		s.iterator = it.ShardIterator
	}
	out, err := p.cfg.Streams.GetRecords(
		ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: s.iterator, Limit: aws.Int32(config.StreamBatch)},
	)
	if err != nil {
		return nil, fmt.Errorf("read shard %s: %w", s.id, err)
	}
	return out, nil
}

func sequenceOf(r types.Record) string {
	if r.Dynamodb == nil {
		return ""
	}
	return aws.ToString(r.Dynamodb.SequenceNumber)
}

// readTimeout limits one read of the engine. A thousand edits of the longest messages, with the
// items before and after, are 64 MB, and a busy laptop takes seconds to read them. Without a limit,
// a stalled read would never be retried.
const readTimeout = time.Minute

// NewClient returns a client of a local engine's streams, and a function that closes its
// connections. The engine accepts any credentials.
func NewClient(endpoint string) (client *dynamodbstreams.Client, end func()) {
	transport := &http.Transport{}
	client = dynamodbstreams.New(dynamodbstreams.Options{
		Region: "us-east-1", BaseEndpoint: &endpoint,
		HTTPClient: &http.Client{Transport: transport, Timeout: readTimeout},
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
		}),
		// The poller retries by itself, after shorter pauses.
		Retryer: aws.NopRetryer{},
	})
	return client, transport.CloseIdleConnections
}

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
