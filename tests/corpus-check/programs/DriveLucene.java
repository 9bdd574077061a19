import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/** An index in memory, written, merged and searched. */
public class DriveLucene {
    public static void main(String[] args) throws Exception {
        Directory dir = new ByteBuffersDirectory();
        try (var w = new IndexWriter(dir, new IndexWriterConfig())) {
            String[] words = "alpha beta gamma delta epsilon zeta eta theta".split(" ");
            for (int i = 0; i < 500; i++) {
                var d = new Document();
                d.add(new TextField("t", words[i % 8] + " " + words[i * 3 % 8] + " " + words[i / 8 % 8],
                        Field.Store.YES));
                d.add(new NumericDocValuesField("n", i));
                w.addDocument(d);
            }
            w.forceMerge(1);
        }
        try (var r = DirectoryReader.open(dir)) {
            var s = new IndexSearcher(r);
            var q = new BooleanQuery.Builder()
                    .add(new TermQuery(new Term("t", "gamma")), BooleanClause.Occur.MUST)
                    .add(new PrefixQuery(new Term("t", "e")), BooleanClause.Occur.SHOULD).build();
            var top = s.search(q, 10);
            System.out.println(q + " " + top.totalHits);
            for (var d : top.scoreDocs)
                System.out.println(d.doc + " " + d.score + " " + s.storedFields().document(d.doc).get("t"));
        }
    }
}
