package stack

import (
	"maps"
	"strconv"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/infra/config"
	shared "example.com/parley/internal/config"
	"example.com/parley/internal/search"
)

const (
	// corsHours is how long a browser remembers that a page may send and read files.
	corsHours = 24
	// partDays is how long the parts of an interrupted copy are kept. Functions and browsers send a
	// file in one request; the AWS CLI copies large files in parts.
	partDays = 7
	// emptyDays is how long an empty object in the place of a removed file is kept: as long as the
	// file's bytes may still be sent. It is the least that a rule accepts.
	emptyDays = 1
	// formerDays is how long versions of the index of searches are kept where files have versions,
	// and versions of files once the settings no longer ask for any: the least that a rule accepts.
	// Every search may write some of the index, and they contain deleted texts. S3 applies the
	// shorter of two rules.
	formerDays = 1
)

// files returns the bucket of the files of messages: the stack's own, or the one that it adopts,
// whose rules of CORS the team sets. At rest it costs only storage ($0.023 a GB and month).
//
// Versions keep what people have deleted, so there are none unless the settings ask for them.
func (b *builder) files(origins []string) awss3.IBucket {
	if name := b.Config.Table.AdoptFiles; name != "" {
		return awss3.Bucket_FromBucketName(b.scope, jsii.String("AdoptedFilesBucket"), jsii.String(name))
	}
	days := b.Config.Files.RecoveryDays
	rules := append([]*awss3.LifecycleRule{
		{
			Id:                                  jsii.String("InterruptedCopies"),
			AbortIncompleteMultipartUploadAfter: awscdk.Duration_Days(jsii.Number(partDays)),
		},
		{
			Id: jsii.String("EmptyObjects"), ObjectSizeLessThan: jsii.Number(1),
			Expiration: awscdk.Duration_Days(jsii.Number(emptyDays)),
		},
	}, recovery(max(days, formerDays))...)
	files := awss3.NewBucket(b.scope, jsii.String("FilesBucket"), &awss3.BucketProps{
		BlockPublicAccess: awss3.BlockPublicAccess_BLOCK_ALL(),
		Encryption:        awss3.BucketEncryption_S3_MANAGED,
		EnforceSSL:        jsii.Bool(true),
		ObjectOwnership:   awss3.ObjectOwnership_BUCKET_OWNER_ENFORCED,
		RemovalPolicy:     b.removal(),
		Cors:              corsOf(origins),
		Versioned:         optional(days > 0),
		LifecycleRules:    &rules,
	})
	fixID(files, "FilesBucket")
	except(files, aFilesBucket)
	return files
}

// recovery returns the rules that remove deleted files for good: their versions after some days,
// and the delete markers of files without versions. A bucket without versions has the rules too:
// it may have had some.
func recovery(days int) []*awss3.LifecycleRule {
	return []*awss3.LifecycleRule{
		{
			Id: jsii.String("DeletedFiles"), NoncurrentVersionExpiration: awscdk.Duration_Days(jsii.Number(days)),
			ExpiredObjectDeleteMarker: jsii.Bool(true),
		},
		{
			Id: jsii.String("FormerIndexes"), Prefix: jsii.String(search.Folder),
			NoncurrentVersionExpiration: awscdk.Duration_Days(jsii.Number(formerDays)),
		},
	}
}

// corsOf lets pages send and read files by signed links. A bucket without pages has no rule.
func corsOf(origins []string) *[]*awss3.CorsRule {
	if len(origins) == 0 {
		return nil
	}
	return &[]*awss3.CorsRule{{
		AllowedOrigins: jsii.Strings(origins...),
		AllowedMethods: &[]awss3.HttpMethods{awss3.HttpMethods_GET, awss3.HttpMethods_PUT},
		AllowedHeaders: jsii.Strings(shared.FileHeaders()...),
		MaxAge:         jsii.Number(corsHours * 3600),
	}}
}

// storing returns a function that signs links to files within the limits of the settings. The
// function, and the people who follow its links, may see that a file does not exist: without the
// right to list, S3 answers 403 instead of 404. It lists only one person's files in one room.
func storing(cfg config.Config, files awss3.IBucket, actions []string, f function) function {
	f.grants = append(f.grants, grant{
		sid: "DetectMissingFiles", resource: files.BucketArn(), prefix: "?*/?*/*", notPrefix: search.Folder + "*",
		actions: []string{"s3:ListBucket"},
	})
	return withFiles(files, actions, limited(cfg, f))
}

// limited returns a function that knows the limits of files.
func limited(cfg config.Config, f function) function {
	maps.Copy(f.variables, map[string]*string{
		shared.EnvFileMB:       jsii.String(strconv.Itoa(cfg.Files.MB)),
		shared.EnvFileDayMB:    jsii.String(strconv.Itoa(cfg.Files.DayMB)),
		shared.EnvFileDayCount: jsii.String(strconv.Itoa(cfg.Files.DayCount)),
		shared.EnvFileTypes:    jsii.String(strings.Join(cfg.Files.Types, ",")),
	})
	return f
}

// withFiles returns a function with actions on every file.
func withFiles(files awss3.IBucket, actions []string, f function) function {
	f.grants = append(
		f.grants, grant{sid: "UseFiles", resource: files.ArnForObjects(jsii.String("*")), actions: actions},
	)
	return inBucket(files, f)
}

// inBucket returns a function that knows the bucket.
func inBucket(files awss3.IBucket, f function) function {
	f.variables[shared.EnvFilesBucket] = files.BucketName()
	f.endpoints = append(f.endpoints, shared.EnvStorageEndpoint)
	return f
}
