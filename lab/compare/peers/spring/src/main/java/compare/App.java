package compare;

import jakarta.persistence.*;
import jakarta.validation.constraints.*;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.*;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.LastModifiedDate;
import org.springframework.data.jpa.domain.support.AuditingEntityListener;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaAuditing;
import org.springframework.data.querydsl.QuerydslPredicateExecutor;
import org.springframework.data.rest.core.config.RepositoryRestConfiguration;
import org.springframework.data.rest.core.event.ValidatingRepositoryEventListener;
import org.springframework.data.rest.core.annotation.RepositoryRestResource;
import org.springframework.data.rest.webmvc.config.RepositoryRestConfigurer;
import org.springframework.validation.Validator;
import org.springframework.web.servlet.config.annotation.CorsRegistry;

/** The resources as the documentation of Spring Data REST shows them: entities and repositories. */
@SpringBootApplication
@EnableJpaAuditing
public class App {
    public static void main(String[] arguments) {
        SpringApplication.run(App.class, arguments);
    }
}

@MappedSuperclass
@EntityListeners(AuditingEntityListener.class)
abstract class Stored {
    @Id @GeneratedValue(strategy = GenerationType.IDENTITY) public Long id;
    @Version public Long version;
    @LastModifiedDate public Instant updatedAt;
}

@Entity class Member extends Stored {
    @NotNull public String username;
    @Column(length = 100000) public String name;
    public String email;
    @Min(0) public Integer age;
}

@Embeddable class Address {
    @Column(length = 100000) public String street;
    public String city;
}

@Entity class Customer extends Stored {
    @NotNull @Column(length = 100000) public String name;
    public String email;
    @Embedded public Address address;
}

@Entity @Table(name = "orders") class Order extends Stored {
    @NotNull public Long productId;
    @Min(1) public Integer quantity;
    @Min(0) public Double orderValue;
    public Long customerId;
}

@Entity class Product extends Stored {
    @NotNull public String name;
    public String category;
    @Min(0) @Column(precision = 38, scale = 9) public BigDecimal price;
    @Size(max = 40) @Column(unique = true) public String sku;
    @ElementCollection(fetch = FetchType.EAGER) @OrderColumn public List<String> tags = new ArrayList<>();
}

@RepositoryRestResource(path = "members", collectionResourceRel = "members")
interface Members extends JpaRepository<Member, Long>, QuerydslPredicateExecutor<Member> {}

@RepositoryRestResource(path = "customers", collectionResourceRel = "customers")
interface Customers extends JpaRepository<Customer, Long>, QuerydslPredicateExecutor<Customer> {}

@RepositoryRestResource(path = "orders", collectionResourceRel = "orders")
interface Orders extends JpaRepository<Order, Long>, QuerydslPredicateExecutor<Order> {}

@RepositoryRestResource(path = "products", collectionResourceRel = "products")
interface Products extends JpaRepository<Product, Long>, QuerydslPredicateExecutor<Product> {}

@Configuration
class Rest implements RepositoryRestConfigurer {
    private final Validator validator;

    Rest(@org.springframework.beans.factory.annotation.Qualifier("defaultValidator") Validator validator) {
        this.validator = validator;
    }

    @Override
    public void configureRepositoryRestConfiguration(RepositoryRestConfiguration config, CorsRegistry cors) {
        config.exposeIdsFor(Member.class, Customer.class, Order.class, Product.class);
        config.setReturnBodyOnDelete(false);
        cors.addMapping("/**").allowedOrigins("*").allowedMethods("*").exposedHeaders("ETag", "Location");
    }

    @Override
    public void configureValidatingRepositoryEventListener(ValidatingRepositoryEventListener listener) {
        listener.addValidator("beforeCreate", validator);
        listener.addValidator("beforeSave", validator);
    }
}
