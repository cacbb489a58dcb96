package bench;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.jdbc.core.JdbcTemplate;

/** Adds ROWS members when it starts, then prints its address. */
@SpringBootApplication
public class Application {
  public static void main(String[] args) {
    var application = new SpringApplication(Application.class);
    application.addListeners((ApplicationListener<ApplicationReadyEvent>) ready -> {
      var context = (ServletWebServerApplicationContext) ready.getApplicationContext();
      context.getBean(JdbcTemplate.class).update(
          "insert into member (name, age) select 'Ada Byron', 36 from system_range(1, ?)",
          Integer.parseInt(System.getenv("ROWS")));
      System.out.println("Listening on http://127.0.0.1:" + context.getWebServer().getPort());
    });
    application.run(args);
  }
}
