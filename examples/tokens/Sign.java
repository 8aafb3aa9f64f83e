import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;

/** Prints a token for a user and their name. In your server, call sign for a user whom it has signed in. */
public final class Sign {
    private static final String ISSUER = System.getenv().getOrDefault("ISSUER", "urn:parley:local");

    /** Signs a token of an hour. It is issued a minute ago, in case this clock is ahead. */
    static String sign(RSAPrivateKey key, String user, String name) {
        Instant issued = Instant.now().minusSeconds(60);
        return JWT.create().withKeyId(System.getenv("KEY_ID"))
            .withIssuer(ISSUER).withAudience("parley").withSubject(user).withClaim("username", name)
            .withIssuedAt(issued).withExpiresAt(issued.plusSeconds(3600))
            .sign(Algorithm.RSA256(null, key));
    }

    static RSAPrivateKey read(Path file) throws Exception {
        String text = Files.readString(file).replaceAll("-----[A-Z ]+-----|\\s", "");
        return (RSAPrivateKey) KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text)));
    }

    public static void main(String[] args) throws Exception {
        Path file = Path.of(System.getenv().getOrDefault("KEY", "private.pem"));
        System.out.println(sign(read(file), args[0], args[1]));
    }
}
