import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.SAXParserFactory;
import org.w3c.dom.Document;
import org.xml.sax.Attributes;
import org.xml.sax.InputSource;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/** Libraries that have no main method, put through their paces; what comes out is compared. */
public class Drive {
    static void sql(String url) throws Exception {
        try (Connection c = DriverManager.getConnection(url); Statement s = c.createStatement()) {
            s.execute("CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(40), v DOUBLE)");
            c.setAutoCommit(false);
            for (int i = 0; i < 300; i++)
                s.execute("INSERT INTO t VALUES (" + i + ", 'n" + i % 7 + "', " + i * 1.5 + ")");
            c.commit();
            s.execute("DELETE FROM t WHERE id > 250");
            c.rollback();
            for (String q : new String[] {
                    "SELECT name, COUNT(*), SUM(v) FROM t GROUP BY name ORDER BY name",
                    "SELECT a.id, b.id FROM t a JOIN t b ON a.id = b.id + 7 WHERE a.v < 30 ORDER BY a.id",
                    "SELECT * FROM nowhere", "INSERT INTO t VALUES (1, 'again', 0)"})
                try (ResultSet r = s.execute(q) ? s.getResultSet() : null) {
                    while (r.next()) {
                        StringBuilder line = new StringBuilder();
                        for (int i = 1; i <= r.getMetaData().getColumnCount(); i++)
                            line.append(r.getString(i)).append(' ');
                        System.out.println(line);
                    }
                } catch (SQLException e) {
                    System.out.println(e.getSQLState() + " " + e.getMessage());
                }
            c.rollback();
        }
    }

    static void xml() throws Exception {
        SAXParserFactory f = (SAXParserFactory) Class.forName("org.apache.xerces.jaxp.SAXParserFactoryImpl")
                .getConstructor().newInstance();
        f.setValidating(true);
        String text = "<?xml version='1.0'?><!DOCTYPE r [<!ELEMENT r (a*,b?)><!ELEMENT a (#PCDATA)><!ATTLIST a x CDATA 'd'>"
                + "<!ENTITY e 'entity'>]><r>" + "<a x='1'>&e; t</a><a/>".repeat(200) + "<c/></r>";
        int[] n = new int[4];
        f.newSAXParser().parse(new InputSource(new StringReader(text)), new DefaultHandler() {
            @Override
            public void startElement(String u, String l, String q, Attributes a) {
                n[0]++;
                n[1] += a.getLength();
            }

            @Override
            public void characters(char[] c, int from, int length) {
                n[2] += length;
            }

            @Override
            public void error(SAXParseException e) {
                System.out.println(e.getMessage());
            }
        });
        System.out.println(Arrays.toString(n));
        DocumentBuilderFactory d = (DocumentBuilderFactory) Class
                .forName("org.apache.xerces.jaxp.DocumentBuilderFactoryImpl").getConstructor().newInstance();
        Document doc = d.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
        System.out.println(doc.getElementsByTagName("a").getLength() + doc.getDocumentElement().getTextContent().substring(0, 30));
        try {
            d.newDocumentBuilder().parse(new InputSource(new StringReader("<a><b></a>")));
        } catch (SAXParseException e) {
            System.out.println(e.getLineNumber() + ":" + e.getColumnNumber() + " " + e.getMessage());
        }
    }

    static void crypto() throws Exception {
        Provider p = (Provider) Class.forName("org.bouncycastle.jce.provider.BouncyCastleProvider").getConstructor().newInstance();
        byte[] data = "the quick brown fox".repeat(40).getBytes(StandardCharsets.UTF_8);
        for (String name : new String[] {"MD5", "SHA-256", "SHA3-512", "WHIRLPOOL", "RIPEMD160", "TIGER", "GOST3411", "BLAKE2B-256", "SM3", "SKEIN-512-512"})
            System.out.println(name + " " + HexFormat.of().formatHex(MessageDigest.getInstance(name, p).digest(data)));
        for (String name : new String[] {"AES/CBC/PKCS7Padding", "Blowfish/CBC/PKCS7Padding", "Twofish/CBC/PKCS7Padding", "Serpent/CBC/PKCS7Padding", "Camellia/CBC/PKCS7Padding"}) {
            Cipher c = Cipher.getInstance(name, p);
            c.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], name.split("/")[0]), new IvParameterSpec(new byte[c.getBlockSize()]));
            System.out.println(name + " " + Arrays.hashCode(c.doFinal(data)));
        }
        KeyPairGenerator g = KeyPairGenerator.getInstance("RSA", p);
        g.initialize(1024, new SecureRandom(new byte[1]));
        System.out.println(g.generateKeyPair().getPrivate().getFormat());
        Class<?> test = Class.forName("org.bouncycastle.crypto.engines.AESEngine");
        System.out.println(test.getConstructor().newInstance().getClass().getMethod("getAlgorithmName").getName());
        try {
            Cipher c = Cipher.getInstance("AES/GCM/NoPadding", p);
            c.init(Cipher.DECRYPT_MODE, new SecretKeySpec(new byte[16], "AES"), new IvParameterSpec(new byte[12]));
            c.doFinal(data);
        } catch (java.security.GeneralSecurityException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "sql" -> sql(args[1]);
            case "xml" -> xml();
            case "crypto" -> crypto();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
