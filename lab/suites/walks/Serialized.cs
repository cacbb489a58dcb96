using System;
using System.IO;
using System.Net.Http;
using System.Text;
using System.Threading.Tasks;
using System.Xml.Serialization;

/// <summary>
/// Sends and reads a customer as XmlSerializer of .NET writes it in memory: the declaration says UTF-16, the content is UTF-8,
/// and absent values are `xsi:nil`. `Serialized URL`.
/// </summary>
public static class Serialized
{
    [XmlRoot("customer")]
    public class Customer
    {
        [XmlElement("name", IsNullable = true)] public string Name;
        [XmlElement("address", IsNullable = true)] public string Address;
        [XmlElement("email", IsNullable = true)] public string Email;
        [XmlElement("creditLimit", IsNullable = true)] public decimal? CreditLimit;
    }

    static void Wanted(bool right, string what)
    {
        if (!right) throw new InvalidOperationException(what);
    }

    static async Task Run(string url)
    {
        var serializer = new XmlSerializer(typeof(Customer));
        var writer = new StringWriter();
        serializer.Serialize(writer, new Customer { Name = "Zoë" });
        var text = writer.ToString();
        Wanted(text.Contains("utf-16") && text.Contains("nil=\"true\""), text);

        var client = new HttpClient();
        client.DefaultRequestHeaders.Add("Accept", "application/xml");
        var created = await client.PostAsync(url + "/customers", new StringContent(text, Encoding.UTF8, "application/xml"));
        var body = await created.Content.ReadAsStringAsync();
        Wanted((int)created.StatusCode == 201, body);
        var read = (Customer)serializer.Deserialize(new StringReader(body));
        Wanted(read.Name == "Zoë" && read.Address == null && read.CreditLimit == null, body);

        read.Address = "Oslo";
        writer = new StringWriter();
        serializer.Serialize(writer, read);
        var request = new HttpRequestMessage(HttpMethod.Put, url + created.Headers.Location.OriginalString)
        {
            Content = new StringContent(writer.ToString(), Encoding.UTF8, "text/xml"),
        };
        request.Headers.IfMatch.Add(created.Headers.ETag);
        var changed = await client.SendAsync(request);
        Wanted((int)changed.StatusCode == 200, await changed.Content.ReadAsStringAsync());
        Console.WriteLine("ok");
    }

    public static void Main(string[] args)
    {
        Run(args[0]).GetAwaiter().GetResult();
    }
}
