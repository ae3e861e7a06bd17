import com.google.inject.Key;
import io.trino.plugin.memory.MemoryPlugin;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.server.security.PasswordAuthenticatorManager;
import io.trino.spi.security.AccessDeniedException;
import io.trino.spi.security.BasicPrincipal;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.TestingSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A Trino for tests: one node, with the catalogs `memory`, into which can be written, and `tpch`. It takes Java 25 and Maven:
 *
 * <pre>
 * cd scripts/trino-server && mvn -q dependency:build-classpath -Dmdep.outputFile=classpath.txt
 * java --add-modules jdk.incubator.vector -cp "$(cat classpath.txt)" trino-server.java 8080 8443
 * TEST_TRINO_URL=http://admin@127.0.0.1:8080/memory
 * TEST_TRINO_TLS_URL=https://admin:pass-admin@127.0.0.1:8443/memory
 * </pre>
 *
 * On the second port it speaks TLS with a certificate of its own, and takes "pass-" and the user's name as the password. The
 * user `reader` may only read.
 */
public final class TrinoServer {
  private static final String RULES =
      """
      {"catalogs": [{"user": "reader", "catalog": ".*", "allow": "read-only"}, {"allow": "all"}],
       "schemas": [{"user": "reader", "owner": false}, {"owner": true}],
       "tables": [{"user": "reader", "privileges": ["SELECT"]},
         {"privileges": ["SELECT", "INSERT", "DELETE", "UPDATE", "OWNERSHIP", "GRANT_SELECT"]}]}
      """;

  public static void main(String[] ports) throws Exception {
    Path folder = Files.createTempDirectory("trino-server");
    Path rules = Files.writeString(folder.resolve("rules.json"), RULES);
    Path keys = folder.resolve("keys.p12");
    run("keytool", "-genkeypair", "-keyalg", "RSA", "-dname", "CN=localhost", "-ext", "san=dns:localhost,ip:127.0.0.1",
        "-storetype", "PKCS12", "-keystore", keys.toString(), "-storepass", "changeit");
    // The users are below; the server only wants to see a file.
    Path users = Files.createFile(folder.resolve("users.properties"));

    DistributedQueryRunner runner =
        DistributedQueryRunner.builder(TestingSession.testSessionBuilder().build())
            .setWorkerCount(0)
            .setSystemAccessControl("file", Map.of("security.config-file", rules.toString()))
            .setCoordinatorProperties(
                Map.of(
                    "http-server.http.port", ports[0],
                    "http-server.https.enabled", "true",
                    "http-server.https.port", ports[1],
                    "http-server.https.keystore.path", keys.toString(),
                    "http-server.https.keystore.key", "changeit",
                    "http-server.authentication.type", "PASSWORD",
                    "http-server.authentication.allow-insecure-over-http", "true",
                    "password-authenticator.config-files", users.toString()))
            .build();
    runner.installPlugin(new MemoryPlugin());
    runner.createCatalog("memory", "memory", Map.of("memory.max-data-per-node", "256MB"));
    runner.installPlugin(new TpchPlugin());
    runner.createCatalog("tpch", "tpch", Map.of());
    runner
        .getCoordinator()
        .getInstance(Key.get(PasswordAuthenticatorManager.class))
        .setAuthenticators(
            (user, password) -> {
              if (password.equals("pass-" + user)) return new BasicPrincipal(user);
              throw new AccessDeniedException("Invalid credentials");
            });
    System.out.println("Trino is ready: " + runner.getCoordinator().getBaseUrl());
    Thread.currentThread().join();
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).inheritIO().start();
    if (process.waitFor() != 0) throw new IllegalStateException(command[0] + " failed");
  }
}
