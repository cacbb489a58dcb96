import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.Marshaller;
import jakarta.xml.bind.annotation.XmlAccessType;
import jakarta.xml.bind.annotation.XmlAccessorType;
import jakarta.xml.bind.annotation.XmlElement;
import jakarta.xml.bind.annotation.XmlRootElement;
import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * Sends and reads a customer as JAXB writes it: absent values are `xsi:nil`, and the declaration names an encoding that the
 * text does not have. Reads an address with `URL.openStream`, whose `Accept` prefers HTML. `Jaxb URL`.
 */
public class Jaxb {
  @XmlRootElement(name = "customer")
  @XmlAccessorType(XmlAccessType.FIELD)
  public static class Customer {
    @XmlElement(nillable = true) public String name;
    @XmlElement(nillable = true) public String address;
    @XmlElement(nillable = true) public String email;
    @XmlElement(nillable = true) public BigDecimal creditLimit;
  }

  static void wanted(boolean right, String what) {
    if (!right) throw new IllegalStateException(what);
  }

  public static void main(String[] args) throws Exception {
    JAXBContext context = JAXBContext.newInstance(Customer.class);
    Marshaller marshaller = context.createMarshaller();
    marshaller.setProperty(Marshaller.JAXB_ENCODING, "ISO-8859-1");
    Customer customer = new Customer();
    customer.name = "Zoë";
    StringWriter text = new StringWriter();
    marshaller.marshal(customer, text);
    wanted(text.toString().contains("nil=\"true\"") && text.toString().contains("ISO-8859-1"), text.toString());

    HttpClient client = HttpClient.newHttpClient();
    var creation = HttpRequest.newBuilder(URI.create(args[0] + "/customers"))
        .header("Content-Type", "application/xml; charset=utf-8").header("Accept", "application/xml")
        .POST(BodyPublishers.ofString(text.toString()));
    var created = client.send(creation.build(), BodyHandlers.ofByteArray());
    wanted(created.statusCode() == 201, new String(created.body()));
    Customer read = (Customer) context.createUnmarshaller().unmarshal(new ByteArrayInputStream(created.body()));
    wanted("Zoë".equals(read.name) && read.address == null && read.creditLimit == null, new String(created.body()));

    String address = args[0] + created.headers().firstValue("location").get();
    try (var stream = new URL(address).openStream()) {
      String json = new String(stream.readAllBytes(), "UTF-8");
      wanted(json.startsWith("{") && json.contains("\"Zoë\"") && !json.contains("address"), json);
    }
    System.out.println("ok");
  }
}
