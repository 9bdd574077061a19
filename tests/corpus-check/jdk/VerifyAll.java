import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** VerifyAll DIR: what java.lang.classfile's verifier says of each class below DIR (24 and later). */
public class VerifyAll {
    public static void main(String[] args) throws Exception {
        Path dir = Path.of(args[0]);
        ClassFile file = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(ClassLoader.getSystemClassLoader())
                        .orElse(ClassHierarchyResolver.defaultResolver()).cached()));
        List<Path> files;
        try (Stream<Path> walk = Files.walk(dir)) {
            files = walk.filter(f -> f.toString().endsWith(".class")).sorted().toList();
        }
        int n = 0, bad = 0;
        for (Path f : files) {
            String answer = null;
            try {
                List<VerifyError> errors = file.verify(Files.readAllBytes(f));
                if (!errors.isEmpty())
                    answer = errors.get(0).getMessage();
            } catch (Exception e) {
                answer = e.toString();
            }
            n++;
            if (answer != null) {
                bad++;
                System.out.println(dir.relativize(f) + ": " + answer.lines().findFirst().orElse(""));
            }
        }
        System.out.println("tried " + n + ", failed " + bad);
    }
}
